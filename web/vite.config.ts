import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Fixed names: the server embeds the files, and asks the browser to revalidate them each time.
export default defineConfig({
    plugins: [svelte()],
    resolve: { alias: { '#transport': '/src/lib/http.ts' } },
    build: {
        target: 'es2022',
        modulePreload: { polyfill: false },
        cssCodeSplit: false,
        assetsInlineLimit: 0,
        rollupOptions: {
            output: {
                entryFileNames: 'assets/app.js',
                chunkFileNames: 'assets/[name].js',
                assetFileNames: 'assets/app[extname]',
            },
        },
    },
    server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
