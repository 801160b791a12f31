"""A session whose executors are pods, with the driver where this program runs.

This is Spark's client mode: the program asks the API server for executors, and they connect back to
it. What differs from a standalone cluster, and is settled here before Spark starts:

- Where executors find the driver: the address that connections to the API server come from. In a
  pod that is the pod's own; outside, the one of this machine that the cluster can route to. If the
  API server is found on loopback, where no pod is, it is that of the way out of this machine. Who
  sets Spark's own `SPARK_LOCAL_IP` has decided.
- Which Python the workers run: Spark has one name for executors and the driver's own workers.
  The path of this interpreter means nothing in an image, so the name is `python3`, and on this
  machine `python3` is made to be this interpreter.
- Which pods: their image has to be given. In a pod, executors are of its namespace, and Kubernetes
  ends them with it.

Spark goes on without executors for ever when the API server cannot be reached or refuses it. So it
is asked first, by Spark's own client with Spark's own credentials (`ask`), and what it says against
the session becomes one sentence.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from moldau.platform.system.pod import Pod
from moldau.platform.system.routes import address_towards, outward_address
from moldau.spark.errors import SparkSetupError

if TYPE_CHECKING:
    from pyspark.conf import SparkConf

__all__ = [
    "Java",
    "api_server",
    "ask",
    "client_for",
    "is_kubernetes",
    "namespace_of",
    "sentence_about",
    "settings_in",
]

Java = Any
"""Whatever lives in the virtual machine: py4j shows it by names alone."""

PREFIX = "k8s://"
IMAGES = ("spark.kubernetes.container.image", "spark.kubernetes.executor.container.image")
NAMESPACE = "spark.kubernetes.namespace"
DRIVER_POD = "spark.kubernetes.driver.pod.name"
CREDENTIALS = "spark.kubernetes.authenticate"
"""What the settings of a client-mode driver's credentials begin with."""
LOCAL_ADDRESS = "SPARK_LOCAL_IP"
PORTS = {"https": 443, "http": 80}
ANSWERS_S = 10
"""How long the API server may take to accept a connection."""
DEEDS = {
    "pods": ("create", "get", "list", "watch", "patch", "delete", "deletecollection"),
    "configmaps": ("create", "deletecollection"),
}
"""What Spark's driver does to what, in its namespace."""
QUIET = {"spark.ui.showConsoleProgress": "false"}
"""What a driver writes is often read as a log."""
UNAUTHORIZED = 401
WHENCE = (
    "credentials are those of kubectl's current context, of the pod's service account, or of --conf"
    f" {CREDENTIALS}.oauthTokenFile=FILE"
)
ALL_DEEDS = "the role of docs/kubernetes.md has all that it needs"


def is_kubernetes(master: str) -> bool:
    """Whether executors are to be pods."""
    return master.startswith(PREFIX)


def api_server(master: str) -> tuple[str, str, int]:
    """Its URL, host and port."""
    url = master.removeprefix(PREFIX)
    url = url if "://" in url else f"https://{url}"
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        parts, port = urlsplit(""), 0
    if not parts.hostname or not port:
        raise SparkSetupError(
            f"{master!r} names no API server: say {PREFIX}https://HOST:PORT, as `kubectl"
            " cluster-info` shows it, or in a pod k8s://https://kubernetes.default.svc"
        )
    return url, parts.hostname, port


def settings_in(
    master: str, conf: Mapping[str, str], pod: Pod | None, variables: Mapping[str, str]
) -> dict[str, str]:
    """The settings that the session needs beyond the caller's; or why it cannot be."""
    url, host, port = api_server(master)
    if not any(conf.get(name) for name in IMAGES):
        raise SparkSetupError(
            f"executors on Kubernetes need an image with moldau[spark] and Java: say which, with"
            f" --conf {IMAGES[0]}=IMAGE"
        )
    try:
        ours = address_towards(host, port, ANSWERS_S)
    except OSError as error:
        why = error.strerror or str(error)
        raise SparkSetupError(f"the API server {url} cannot be reached: {why}") from error
    if ipaddress.ip_address(ours).is_loopback:
        ours = outward_address()
    ours = variables.get(LOCAL_ADDRESS, ours)
    settings = {"spark.driver.bindAddress": ours, "spark.driver.host": ours, **QUIET}
    if pod is not None:
        settings[NAMESPACE] = pod.namespace
        if conf.get(NAMESPACE, pod.namespace) == pod.namespace:
            settings[DRIVER_POD] = pod.name
    return settings


def ask(master: str, conf: SparkConf) -> None:
    """Return if the API server lets us have executors.

    Starts Java, with these settings, which the session goes on with.
    """
    from py4j.protocol import Py4JJavaError

    java = _java(conf)
    namespace = namespace_of(conf)
    client = client_for(java, conf, api_server(master)[0])
    try:
        _require_deeds(java, client, namespace)
        pod = conf.get(DRIVER_POD)
        if pod and client.pods().inNamespace(namespace).withName(pod).get() is None:
            raise SparkSetupError(
                f"there is no pod {pod} in the namespace {namespace} for the executors to belong"
                f" to: say which pod this is, with --conf {DRIVER_POD}=POD"
            )
    except Py4JJavaError as refused:
        raise SparkSetupError(sentence_about(refused.java_exception, master)) from refused
    finally:
        client.close()


def namespace_of(conf: SparkConf) -> str:
    return conf.get(NAMESPACE) or "default"


def _java(conf: SparkConf) -> Java:
    from pyspark import SparkContext

    SparkContext._ensure_initialized(conf=conf)
    return SparkContext._jvm


def client_for(java: Java, conf: SparkConf, url: str) -> Java:
    """The client that Spark's own cluster manager would make."""
    kubernetes = java.org.apache.spark.deploy.k8s
    complete = java.org.apache.spark.SparkConf(True)
    for name, value in conf.getAll():
        complete.set(name, value)
    kinds = getattr(getattr(kubernetes, "SparkKubernetesClientFactory$ClientType$"), "MODULE$")
    nothing = java.scala.Option.empty()
    factory = kubernetes.SparkKubernetesClientFactory
    named = java.scala.Option.apply(namespace_of(conf))
    return factory.createKubernetesClient(
        url, named, CREDENTIALS, kinds.Driver(), complete, nothing
    )


def _require_deeds(java: Java, client: Java, namespace: str) -> None:
    """Ask whether the account may do what Spark is going to."""
    for resource, verbs in DEEDS.items():
        refused = [verb for verb in verbs if not _may(java, client, namespace, verb, resource)]
        if refused:
            raise SparkSetupError(
                f"the account may not {', '.join(refused)} {resource} in the namespace"
                f" {namespace}: {ALL_DEEDS}"
            )


def _may(java: Java, client: Java, namespace: str, verb: str, resource: str) -> bool:
    model = java.io.fabric8.kubernetes.api.model.authorization.v1
    attributes = model.ResourceAttributes()
    attributes.setNamespace(namespace)
    attributes.setVerb(verb)
    attributes.setResource(resource)
    spec = model.SelfSubjectAccessReviewSpec()
    spec.setResourceAttributes(attributes)
    review = model.SelfSubjectAccessReview()
    review.setSpec(spec)
    answer = client.authorization().v1().selfSubjectAccessReview().create(review)
    return cast("bool", answer.getStatus().getAllowed())


def sentence_about(refused: Java, master: str) -> str:
    """What the API server, or the way to it, has against us."""
    url = api_server(master)[0]
    code = refused.getCode() if hasattr(refused, "getCode") else 0
    if code == UNAUTHORIZED:
        return f"the API server {url} does not know these credentials: {WHENCE}"
    if code and refused.getStatus() is not None:
        return f"the API server {url} refuses: {_flat(refused.getStatus().getMessage())} ({WHENCE})"
    cause = refused
    while cause.getCause() is not None:
        cause = cause.getCause()
    message = _flat(cause.getMessage() or cause.toString())
    return f"the API server {url} cannot be reached: {message}"


def _flat(message: object) -> str:
    return re.sub(r"\s+", " ", str(message)).strip().rstrip(".")
