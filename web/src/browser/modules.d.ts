// Written by emscripten: karikomi/browser/CMakeLists.txt.
declare module '#engine' {
    const make: (options: object) => Promise<unknown>;
    export default make;
}
