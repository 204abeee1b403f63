"""The benchmark's pipelines in PyFlink, run by an interpreter that has it; nothing of ours is here.

A line of standard input is a run, as ``FlinkPeer.java`` has it; the answer is in milliseconds.
"""

import os
import re
import sys
from typing import Any

from pyflink.common import Types, WatermarkStrategy
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.file_system import FileSource, StreamFormat
from pyflink.datastream.connectors.number_seq import NumberSequenceSource

ANSWERS = os.fdopen(os.dup(1), "w")
"""What else the JVM prints must not stand between answers."""
SHORTEST = 3
NO_WORD = re.compile("[^a-z]+")
WORD = Types.TUPLE([Types.STRING(), Types.LONG()])
NUMBER = Types.TUPLE([Types.LONG(), Types.LONG()])


def words(environment: StreamExecutionEnvironment, path: str) -> None:
    """Words of more than two letters, counted."""
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), path).build()
    lines = environment.from_source(source, WatermarkStrategy.no_watermarks(), "lines")
    ones = (
        lines.flat_map(lambda line: filter(None, NO_WORD.split(line.lower())), Types.STRING())
        .filter(lambda word: len(word) >= SHORTEST)
        .map(lambda word: (word, 1), WORD)
    )
    _reduce(ones)


def numbers(environment: StreamExecutionEnvironment, count: str) -> None:
    """Every second number, summed by 500 keys."""
    source = NumberSequenceSource(0, int(count) - 1)
    found = environment.from_source(
        source, WatermarkStrategy.no_watermarks(), "numbers", Types.LONG()
    )
    keyed = found.filter(lambda n: n % 2 == 0).map(lambda n: (n // 2 % 500, n * 3 + 1), NUMBER)
    _reduce(keyed)


def _reduce(pairs: Any) -> None:
    """Sum by key, and emit only one row in a million, so that printing costs nothing."""
    summed = pairs.key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))
    summed.filter(lambda pair: pair[1] < 0).print()


def main() -> None:
    """Run what each line asks for."""
    os.dup2(2, 1)
    for line in sys.stdin:
        pipeline, chained, what = line.strip().split(" ", 2)
        environment = StreamExecutionEnvironment.get_execution_environment()
        environment.set_parallelism(2)
        environment.set_python_executable(sys.executable)
        if chained == "unchained":
            environment.disable_operator_chaining()
        {"words": words, "numbers": numbers}[pipeline](environment, what)
        ANSWERS.write(f"{environment.execute().get_net_runtime()}\n")
        ANSWERS.flush()


if __name__ == "__main__":
    main()
