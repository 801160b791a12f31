"""What one principal has: clients, consumers, routes."""

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import run
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.tenant import Tenant


def test_a_tenant_with_a_consumer_is_in_use_until_that_is_deleted(place):
    async def main(tasks):
        tenant = Tenant({"bootstrap.servers": place}, tasks, SystemClock(), SystemRandom())

        async def ask(method, path):
            request = Request(method, path)
            handler, request.parameters = tenant.router.find(method, path)
            answer = handler(request)
            assert not isinstance(answer, Response)
            return (await answer).status

        statuses = [await ask("POST", "/consumers/g")]
        used = [tenant.is_used]
        await tenant.close()
        return statuses, [*used, tenant.is_used]

    assert run(main) == ([200], [True, False])
