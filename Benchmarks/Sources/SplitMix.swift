import TestSupport

/// By the algorithm's name: its numbers make the benchmarks' pictures, and a seed that is published must give the same ones for ever.
typealias SplitMix = SeededGenerator
