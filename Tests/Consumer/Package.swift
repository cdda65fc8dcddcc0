// swift-tools-version: 6.0
import PackageDescription

// An application of another package. It sees nothing but the public API of the products that it depends on.

let package = Package(
    name: "Consumer",
    dependencies: [.package(name: "todod", path: "../..")],
    targets: [
        .target(
            name: "Recipes",
            dependencies: [
                .product(name: "ObjectStore", package: "todod"),
                .product(name: "ObjectStoreFoundation", package: "todod"),
                .product(name: "ObjectStoreXML", package: "todod"),
            ]),
        .executableTarget(name: "cookbook", dependencies: ["Recipes"]),
        // It uses SQLite alone. `run` checks the libraries that it links.
        .executableTarget(name: "notes", dependencies: [.product(name: "ObjectStore", package: "todod")]),
        .testTarget(name: "RecipesTests", dependencies: ["Recipes", "cookbook", "notes"]),
    ],
    swiftLanguageModes: [.v6]
)
