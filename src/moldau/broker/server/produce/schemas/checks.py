"""Records of a topic that asks for it name a schema that the registry has, under the right subject.

A topic asks by `confluent.key.schema.validation` and `confluent.value.schema.validation`; the
strategies beside them decide which subject is right. A record without a key or value passes. Only
where `schema.validation.payload` is set too is what follows the schema's name decoded, and where
`schema.validation.rules` is, held against the schema's rules (`conditions`).

What the registry has of a schema is looked up when it first comes, and kept. What did not fit is
looked up again after a second: it may have been registered since. What fits is looked up again
after minutes, and stays as it is while the registry does not answer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.settings import SCHEMA_VALIDATION, TOPIC, Configs
from moldau.broker.server.produce.schemas.conditions import Check, Reader, broken, check_of
from moldau.broker.server.produce.schemas.frames import (
    ERRORS_MAX,
    Frames,
    Part,
    Payloads,
    Records,
    frames_of,
    payloads_of,
    read_records,
    unreadable,
)
from moldau.config.topic import TopicSettings
from moldau.errors import KafkaError, MissingExtraError, MoldauError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.clock import Clock
from moldau.protocol.records.refusals import InvalidBatchError, RecordError
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import frame_of
from moldau.schemas.known import KnownSchema, SchemaLookup
from moldau.schemas.parsed import Decode
from moldau.schemas.rules import writes_other_bytes
from moldau.schemas.subjects import SubjectOf, subject_of_topic, subject_strategy

__all__ = ["AskedBatch", "SchemaChecks", "SchemaRules", "asked_batch"]

KNOWN_MAX: Final = 20_000
UNKNOWN_MAX: Final = 100
"""Schemas of one request that are looked up; a sender of random bytes names thousands."""
LOOK_AGAIN_NS: Final = 1_000_000_000
REFRESH_NS: Final = 300 * LOOK_AGAIN_NS
Schema: TypeAlias = int | str
"""An id or a GUID."""
BOTH: Final = (True, False)
"""Keys, and values."""
Refusals: TypeAlias = dict[tuple[str, int], MoldauError]
"""Why batches are refused, by topic and partition."""
Misnamed: TypeAlias = dict[tuple[bool, bytes], list[RecordError]]
"""Whether it is a key's, and the bytes that name the schema: the first records, with reasons."""
NO_DECODERS: Final[Mapping[bytes, Decode]] = {}


class SchemaRules(NamedTuple):
    """What a topic asks; None for what it does not."""

    key: SubjectOf | None
    value: SubjectOf | None
    reads_payload: bool
    runs_rules: bool

    def of(self, is_key: bool) -> SubjectOf:
        """What is asked of keys or values, where it is."""
        rule = self.key if is_key else self.value
        assert rule is not None, "frames are of what is asked"
        return rule


class AskedBatch(NamedTuple):
    """One batch for a topic that asks."""

    topic: str
    partition: int
    rules: SchemaRules
    records: Records
    frames: Frames
    error: MoldauError | None = None
    """Where it cannot be read."""

    @property
    def named(self) -> Iterator[tuple[bool, bytes, list[int]]]:
        """Whether it is a key's, the bytes that name the schema, and the first records."""
        for prefix, indexes in self.frames.keys.items():
            yield True, prefix, indexes
        for prefix, indexes in self.frames.values.items():
            yield False, prefix, indexes


class _Kept:
    """What was answered, and when."""

    __slots__ = ("_check", "_decoder", "_has_check", "at_ns", "found")

    def __init__(self, found: KnownSchema | None, at_ns: int) -> None:
        self.found = found
        self.at_ns = at_ns
        self._decoder: Decode | None = None
        self._check: Check | None = None
        self._has_check = False

    @property
    def decoder(self) -> Decode | None:
        """None where the payload is not what the schema describes, or nothing here reads it."""
        if self._decoder is None and self.found is not None and self.found.parsed is not None:
            if self.found.schema is not None and writes_other_bytes(self.found.schema):
                return None
            self._decoder = self.found.parsed.bounded_decoder()
        return self._decoder

    def check(self, clock: Clock) -> Check | None:
        """Its rules, compiled when they are first asked for."""
        if not self._has_check and self.found is not None:
            self._check, self._has_check = check_of(self.found, clock), True
        return self._check


class SchemaChecks:
    """Checks the records of a broker's topics against the schemas that they name."""

    def __init__(self, clock: Clock, lookup: Callable[[], SchemaLookup | None]) -> None:
        """`lookup` has the registry; None on a broker that was given none."""
        self._lookup = lookup
        self._clock = clock
        self._configs: Configs | None = None
        self._rules: dict[str, SchemaRules] = {}
        self._known: dict[Schema, _Kept] = {}

    def __repr__(self) -> str:
        return f"SchemaChecks({len(self._rules)} topics, {len(self._known)} schemas)"

    def rules_of(self, image: Image, topic: str) -> SchemaRules | None:
        if image.configs is not self._configs:
            self._configs = image.configs
            self._rules = _rules_of(image.configs)
        return self._rules.get(topic)

    def unknown(self, asked: Iterable[AskedBatch]) -> set[Schema]:
        """Schemas to look up: those that never came, those that did not fit, and old ones."""
        found: set[Schema] = set()
        now_ns = self._clock.monotonic_ns()
        for batch in asked:
            misnamed: Misnamed | None = None
            for is_key, prefix, _ in batch.named:
                schema = _named(prefix)
                if schema is None or schema in found:
                    continue
                kept = self._known.get(schema)
                age_ns = REFRESH_NS if kept is None else now_ns - kept.at_ns
                if age_ns < LOOK_AGAIN_NS:
                    continue
                if age_ns < REFRESH_NS and misnamed is None:
                    misnamed = self._misnamed(batch)
                if age_ns >= REFRESH_NS or self._wrong(batch, is_key, prefix, (0,), misnamed):
                    found.add(schema)
        return found

    async def look_up(self, schemas: Iterable[Schema]) -> None:
        """Look these up; what is not answered stays as it was."""
        lookup = self._lookup()
        if lookup is None:
            return
        for schema in islice(schemas, UNKNOWN_MAX):
            try:
                found = await lookup.find(schema)
            except MoldauError:
                return  # the next would wait as long
            if len(self._known) >= KNOWN_MAX:
                self._known.clear()
            self._known[schema] = _Kept(found, self._clock.monotonic_ns())

    def run_rules(self, asked: Iterable[AskedBatch]) -> bool:
        """Whether `judged` is to be asked, and not `refusals`: some are judged by rules."""
        return any(batch.rules.runs_rules for batch in asked)

    def judged(self, asked: Iterable[AskedBatch]) -> Generator[None, None, Refusals]:
        """What schemas and their rules refuse; a rule takes long, so others go on between."""
        asked = tuple(asked)
        found = self.refusals(asked)
        due: list[tuple[AskedBatch, dict[bytes, Reader], dict[bytes, Reader]]] = []
        for batch in asked:
            place = batch.topic, batch.partition
            if batch.rules.runs_rules and place not in found:
                try:
                    keys, values = (self._readers(batch, names) for names in batch.frames)
                    due.append((batch, keys, values))
                except MissingExtraError as error:
                    found[place] = _not_run(batch, error)
        for batch, keys, values in due:
            refused = _invalid((yield from broken(batch.records, keys, values)))
            if refused is not None:
                found[batch.topic, batch.partition] = refused
        return found

    def _readers(self, batch: AskedBatch, prefixes: Iterable[bytes]) -> dict[bytes, Reader]:
        """Of schemas with rules, or of all where payloads are to be read."""
        found: dict[bytes, Reader] = {}
        for prefix, decode in self._decoders(prefixes).items():
            schema = _named(prefix)
            check = None if schema is None else self._known[schema].check(self._clock)
            if check is not None or batch.rules.reads_payload:
                found[prefix] = Reader(decode, check)
        return found

    def refusals(self, asked: Iterable[AskedBatch]) -> Refusals:
        """What schemas refuse, without their rules."""
        found: Refusals = {}
        for batch in asked:
            error = self._refusal(batch)
            if error is not None:
                found[batch.topic, batch.partition] = error
        return found

    def _refusal(self, batch: AskedBatch) -> MoldauError | None:
        if batch.error is not None:
            return batch.error
        wrong: list[RecordError] = []
        misnamed = self._misnamed(batch)
        for is_key, prefix, indexes in batch.named:
            schema = _named(prefix)
            if schema is not None and schema not in self._known:
                return self._unanswered(batch.topic, schema)
            wrong += self._wrong(batch, is_key, prefix, indexes, misnamed)
        if not wrong and batch.rules.reads_payload and not batch.rules.runs_rules:
            wrong = list(islice(unreadable(batch.records, self._payloads(batch)), ERRORS_MAX))
        return _invalid(wrong)

    def _unanswered(self, topic: str, schema: Schema) -> MoldauError:
        """Nothing is known of a schema: the sender's fault only where it names very many."""
        if self._lookup() is None:
            return KafkaError(
                ErrorCode.INVALID_CONFIG,
                f"{topic} asks for records with schemas, and this broker has no registry: set "
                "confluent.schema.registry.url",
            )
        return KafkaError(
            ErrorCode.REQUEST_TIMED_OUT, f"the registry has not answered what schema {schema} is"
        )

    def _wrong(
        self,
        batch: AskedBatch,
        is_key: bool,
        prefix: bytes,
        indexes: Iterable[int],
        misnamed: Misnamed | None,
    ) -> list[RecordError]:
        """Those of these records that name their schema wrongly, or those that are misnamed."""
        if misnamed is not None and (is_key, prefix) in misnamed:
            return misnamed[is_key, prefix]
        reason = self._reason(batch, is_key, prefix)
        return [RecordError(index, reason) for index in indexes] if reason else []

    def _reason(self, batch: AskedBatch, is_key: bool, prefix: bytes) -> str:
        """Empty for what is right."""
        what = "key" if is_key else "value"
        schema = _named(prefix)
        if schema is None:
            return f"the {what} names no schema"
        known = self._known[schema].found
        if known is None:
            return f"the registry has no schema {schema}, which the {what} names"
        return _subject_reason(batch, is_key, schema, known, known.record_name)

    def _misnamed(self, batch: AskedBatch) -> Misnamed:
        """Where subjects are of records, and a schema has several: each record is looked at."""
        found: Misnamed = {}
        schemas: dict[bytes, tuple[Schema, KnownSchema]] = {}
        for is_key, prefix, _ in batch.named:
            schema = _named(prefix)
            kept = None if schema is None else self._known.get(schema)
            if schema is None or kept is None or kept.found is None or kept.found.parsed is None:
                continue
            if batch.rules.of(is_key) is not subject_of_topic and kept.found.parsed.has_indexes:
                schemas[prefix] = schema, kept.found
                found[is_key, prefix] = []
        if not found:
            return found
        keys, values = ({prefix for part, prefix in found if part is is_key} for is_key in BOTH)
        for part in payloads_of(batch.records, keys, values):
            errors = found[part.is_key, part.prefix]
            if len(errors) < ERRORS_MAX:
                reason = _message_reason(batch, part, *schemas[part.prefix])
                if reason:
                    errors.append(RecordError(part.record_index, reason))
        return found

    def _payloads(self, batch: AskedBatch) -> Payloads:
        frames = batch.frames
        return Payloads(self._decoders(frames.keys), self._decoders(frames.values))

    def _decoders(self, prefixes: Iterable[bytes]) -> Mapping[bytes, Decode]:
        found: dict[bytes, Decode] = {}
        for prefix in prefixes:
            schema = _named(prefix)
            decode = None if schema is None else self._known[schema].decoder
            if decode is not None:
                found[prefix] = decode
        return found or NO_DECODERS


def asked_batch(topic: str, partition: int, rules: SchemaRules, batch: Buffer) -> AskedBatch:
    """What the batch names, or why it cannot be read."""
    try:
        records = read_records(batch)
        frames = frames_of(
            records, with_keys=rules.key is not None, with_values=rules.value is not None
        )
    except MoldauError as error:
        return AskedBatch(topic, partition, rules, Records(b"", 0), Frames({}, {}), error)
    return AskedBatch(topic, partition, rules, records, frames)


def _not_run(batch: AskedBatch, error: MissingExtraError) -> MoldauError:
    return KafkaError(
        ErrorCode.INVALID_CONFIG,
        f"{batch.topic} asks for the rules of schemas, and this broker cannot run them: {error}",
    )


def _invalid(wrong: list[RecordError]) -> MoldauError | None:
    if not wrong:
        return None
    first, *_ = wrong = sorted(wrong)[:ERRORS_MAX]
    return InvalidBatchError(f"record {first.batch_index}: {first.reason}", tuple(wrong))


def _message_reason(batch: AskedBatch, part: Part, schema: Schema, known: KnownSchema) -> str:
    """By the message that the indexes in front of the payload lead to."""
    assert known.parsed is not None, "only what is parsed has messages"
    try:
        name = known.parsed.record_name_in(part.payload)
    except DataError as error:
        return (
            f"the {'key' if part.is_key else 'value'} names no message of schema {schema}: {error}"
        )
    return _subject_reason(batch, part.is_key, schema, known, name)


def _subject_reason(
    batch: AskedBatch, is_key: bool, schema: Schema, known: KnownSchema, record_name: str | None
) -> str:
    try:
        subject = batch.rules.of(is_key)(batch.topic, is_key, record_name)
    except DataError as error:
        return str(error)
    if subject in known.subjects:
        return ""
    what = "key" if is_key else "value"
    return f"schema {schema} of the {what} is not registered under {subject}"


def _named(prefix: bytes) -> Schema | None:
    try:
        return frame_of(prefix).schema
    except DataError:
        return None


def _rules_of(configs: Configs) -> dict[str, SchemaRules]:
    found: dict[str, SchemaRules] = {}
    for (kind, name), given in configs.by_resource.items():
        if kind == TOPIC and not SCHEMA_VALIDATION.isdisjoint(given):
            rules = _rules(TopicSettings(given))
            if rules.key is not None or rules.value is not None:
                found[name] = rules
    return found


def _rules(settings: TopicSettings) -> SchemaRules:
    of_key = subject_strategy(settings.confluent_key_subject_name_strategy)
    of_value = subject_strategy(settings.confluent_value_subject_name_strategy)
    return SchemaRules(
        of_key if settings.confluent_key_schema_validation else None,
        of_value if settings.confluent_value_schema_validation else None,
        settings.schema_validation_payload,
        settings.schema_validation_rules,
    )
