// swift run -c release PostgreSQLBenchmarks CONNECTION [objects [part of a name]]
// CONNECTION is a connection string of libpq. The benchmarks make the schema "benchmark" and remove it.

let arguments = Array(CommandLine.arguments.dropFirst())
guard let connection = arguments.first else {
    fatalError("Usage: PostgreSQLBenchmarks CONNECTION [objects [part of a name]]")
}
let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
let benchmark = StoreBenchmark(connection: connection, count: count)
for line in Measurement.header { print(line) }
try benchmark.run(arguments.dropFirst(2).first ?? "") { print($0.line) }
