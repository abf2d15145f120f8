// The page with its engine in the browser: tools/build_browser.sh.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "style-src 'self' 'unsafe-inline'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
].join('; ');

export default defineConfig({
    base: './',
    publicDir: 'public',
    plugins: [
        svelte(),
        {
            name: 'static-page',
            transformIndexHtml: (html) =>
                html
                    .replace('href="/icon.svg"', 'href="./icon.svg"')
                    .replace(
                        '<title>',
                        `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n` +
                            '    <link rel="manifest" href="./manifest.webmanifest" />\n    <title>',
                    ),
        },
    ],
    resolve: {
        alias: {
            '#transport': '/src/browser/transport.ts',
            '#engine': process.env.KARIKOMI_ENGINE ?? '/engine.mjs',
        },
    },
    worker: { format: 'es' },
    build: {
        target: 'es2022',
        outDir: 'dist-static',
        modulePreload: { polyfill: false },
        cssCodeSplit: false,
        assetsInlineLimit: 0,
    },
});
