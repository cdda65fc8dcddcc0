// swift-tools-version: 6.0
import PackageDescription

// A target imports only targets that stand above it in this list. The client never imports the daemon,
// the reminder model or the store: it links nothing but libc.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "todod",
    products: [
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "ObjectStoreXML", targets: ["ObjectStoreXML"]),
        .library(name: "ObjectStorePostgreSQL", targets: ["ObjectStorePostgreSQL"]),
        .library(name: "ObjectStoreFoundation", targets: ["ObjectStoreFoundation"]),
        .executable(name: "todod", targets: ["todod"]),
        .executable(name: "todod-sync", targets: ["todod-sync"]),
        .executable(name: "todoctl", targets: ["todoctl"]),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        // No pkgConfig: it would link libicalss and libicalvcal too.
        .systemLibrary(name: "CLibical", providers: [.apt(["libical-dev"])]),
        .systemLibrary(name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CLinux"),

        .target(name: "Platform", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "CivilTime", dependencies: ["Platform"], swiftSettings: strict),
        .target(name: "Phrases", dependencies: ["CivilTime"], swiftSettings: strict),
        .target(name: "SQLiteDriver", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(name: "PostgreSQLDriver", dependencies: ["CPostgreSQL"], swiftSettings: strict),
        .target(
            name: "ObjectStore",
            dependencies: ["CPCRE2", "CUTF8Proc", "CivilTime", "Platform", "SQLiteDriver"],
            swiftSettings: strict),
        .target(
            name: "ObjectStoreXML", dependencies: ["CLibXML2", "CivilTime", "ObjectStore", "Platform"],
            swiftSettings: strict),
        .target(
            name: "ObjectStorePostgreSQL", dependencies: ["CivilTime", "ObjectStore", "PostgreSQLDriver"],
            swiftSettings: strict),
        .target(name: "ObjectStoreFoundation", dependencies: ["ObjectStore"], swiftSettings: strict),
        .target(name: "Varlink", dependencies: ["Platform"], swiftSettings: strict),
        .target(
            name: "VarlinkServer", dependencies: ["CLinux", "Platform", "Varlink"], swiftSettings: strict),
        .target(
            name: "Reminders",
            dependencies: ["CLibical", "CivilTime", "ObjectStore", "Phrases", "Platform", "Varlink"],
            swiftSettings: strict),
        .target(
            name: "TodoAPI", dependencies: ["CivilTime", "Platform", "Varlink"],
            resources: [
                .embedInCode("dev.todod.Sync.varlink"), .embedInCode("dev.todod.Todo.varlink"),
            ], swiftSettings: strict),
        .target(name: "Systemd", dependencies: ["CSystemd", "Platform"], swiftSettings: strict),
        .target(
            name: "CalDAV", dependencies: ["CCurl", "CLibXML2", "CLinux", "Platform"],
            swiftSettings: strict),
        .target(
            name: "ConfigurationFiles", dependencies: ["CivilTime", "Phrases", "Platform", "TodoAPI"],
            swiftSettings: strict),
        .target(
            name: "Alerts",
            dependencies: [
                "CLinux", "CivilTime", "ObjectStore", "Platform", "Varlink", "Reminders", "TodoAPI",
                "Systemd",
            ],
            swiftSettings: strict),
        .target(
            name: "TodoService",
            dependencies: [
                "CivilTime", "ObjectStore", "ObjectStoreXML", "Phrases", "Platform", "Varlink",
                "VarlinkServer", "Reminders", "TodoAPI", "Systemd", "Alerts",
            ],
            swiftSettings: strict),
        .target(
            name: "TodoDaemon",
            dependencies: [
                "CLinux", "CivilTime", "ObjectStore", "Phrases", "Platform", "Varlink", "VarlinkServer",
                "Reminders", "TodoAPI", "Systemd", "ConfigurationFiles", "Alerts", "TodoService",
            ],
            swiftSettings: strict),
        .target(
            name: "TodoSync",
            dependencies: [
                "CLinux", "CivilTime", "Phrases", "Platform", "Varlink", "VarlinkServer", "TodoAPI",
                "Systemd", "CalDAV", "ConfigurationFiles",
            ],
            swiftSettings: strict),
        .target(
            name: "TodoClient",
            dependencies: ["CLinux", "CivilTime", "Phrases", "Platform", "Varlink", "TodoAPI"],
            resources: [
                .embedInCode("Completion/todoctl.bash"), .embedInCode("Completion/todoctl.fish"),
                .embedInCode("Completion/todoctl.zsh"),
            ], swiftSettings: strict),
        .executableTarget(name: "todod", dependencies: ["TodoDaemon"], swiftSettings: strict),
        .executableTarget(
            name: "todod-sync", dependencies: ["TodoSync"], exclude: ["hot-functions"], swiftSettings: strict),
        .executableTarget(name: "todoctl", dependencies: ["TodoClient"], swiftSettings: strict),

        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Alerts", "CPostgreSQL", "CSQLite", "CSystemd", "CivilTime", "ObjectStore",
                "ObjectStorePostgreSQL", "ObjectStoreXML", "Reminders", "Systemd", "TodoAPI", "TodoService",
                "Varlink", "VarlinkServer",
            ],
            path: "Benchmarks",
            exclude: ["API", "clients", "footprint", "hot-functions", "memory", "queue", "sync"],
            swiftSettings: strict),
        .executableTarget(
            name: "APIBenchmarks", dependencies: ["CSQLite"], path: "Benchmarks/API", swiftSettings: strict),

        // What several test targets and the checking program share.
        .target(
            name: "TestSupport", dependencies: ["ObjectStore"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "TestProcesses", dependencies: ["CLinux"], path: "Tests/TestProcesses",
            exclude: ["guard.py"], swiftSettings: strict),
        .executableTarget(
            name: "StoreCheck",
            dependencies: ["ObjectStore", "ObjectStorePostgreSQL", "ObjectStoreXML", "TestSupport"],
            path: "Tests/StoreCheck", swiftSettings: strict),
        .executableTarget(
            name: "CertificationService", dependencies: ["Varlink", "VarlinkServer"],
            path: "Tests/Certification/CertificationService", swiftSettings: strict),

        .testTarget(
            name: "PlatformTests", dependencies: ["Platform", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CivilTimeTests", dependencies: ["CivilTime", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PhrasesTests", dependencies: ["CivilTime", "Phrases", "TestSupport"],
            exclude: ["phrases.txt"], swiftSettings: strict),
        .testTarget(name: "SQLiteDriverTests", dependencies: ["SQLiteDriver"], swiftSettings: strict),
        .testTarget(
            name: "PostgreSQLDriverTests", dependencies: ["PostgreSQLDriver", "TestServers"],
            swiftSettings: strict),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: [
                "ObjectStore", "ObjectStoreFoundation", "ObjectStorePostgreSQL", "ObjectStoreXML", "Platform",
                "PostgreSQLDriver", "SQLiteDriver", "StoreCheck", "TestProcesses", "TestServers",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ObjectStoreFoundationTests", dependencies: ["ObjectStoreFoundation", "ObjectStore"],
            swiftSettings: strict),
        .testTarget(
            name: "VarlinkTests", dependencies: ["Platform", "Varlink", "VarlinkServer"],
            swiftSettings: strict),
        .testTarget(
            name: "RemindersTests",
            dependencies: [
                "CivilTime", "ObjectStore", "ObjectStoreXML", "Phrases", "Reminders", "TestProcesses",
                "TestSupport", "todod",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TodoAPITests", dependencies: ["TestSupport", "TodoAPI"], swiftSettings: strict),
        .target(
            name: "TestBus", dependencies: ["Systemd", "TestProcesses"], path: "Tests/TestBus",
            swiftSettings: strict),
        .target(
            name: "TestServers", dependencies: ["TestProcesses"], path: "Tests/TestServers",
            exclude: ["fault-proxy.py"], swiftSettings: strict),
        .testTarget(
            name: "CalDAVTests", dependencies: ["CCurl", "CalDAV", "TestServers"], swiftSettings: strict),
        .testTarget(
            name: "SystemdTests", dependencies: ["CSystemd", "Systemd", "TestBus", "TodoAPI"],
            swiftSettings: strict),
        .testTarget(
            name: "TodoDaemonTests",
            dependencies: [
                "Alerts", "CivilTime", "ConfigurationFiles", "ObjectStore", "ObjectStoreXML", "Phrases",
                "Platform",
                "Reminders", "SQLiteDriver", "Systemd", "TestBus", "TestProcesses", "TestSupport", "TodoAPI",
                "TodoDaemon", "TodoService", "Varlink", "VarlinkServer",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TodoSyncTests",
            dependencies: [
                "CalDAV", "CivilTime", "ConfigurationFiles", "Platform", "Systemd", "TestBus",
                "TestProcesses", "TodoAPI", "TodoSync", "Varlink", "VarlinkServer", "todod-sync",
            ],
            exclude: ["secret_service.py"], swiftSettings: strict),
        .testTarget(
            name: "TodoClientTests",
            dependencies: [
                "CivilTime", "Platform", "TestProcesses", "TestSupport", "TodoAPI", "TodoClient", "Varlink",
                "VarlinkServer", "todoctl",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CivilTime", "ObjectStore", "Phrases", "Reminders", "SQLiteDriver", "TestProcesses",
                "TestServers", "TestSupport", "TodoAPI", "Systemd", "TestBus", "TodoDaemon", "TodoService",
                "Varlink", "VarlinkServer", "todod", "todod-sync", "todoctl",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
