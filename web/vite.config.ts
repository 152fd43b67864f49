import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { groups } from './chunks.ts'

const service = process.env.GANTRY_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: {
    // Radix locks scrolling by a <style> that the content policy refuses; our page itself never scrolls.
    alias: { 'react-remove-scroll': new URL('src/kit/no-scroll-lock.tsx', import.meta.url).pathname },
  },
  build: {
    target: 'es2023',
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // kB. The editor is the largest part, and is loaded when somebody writes.
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { proxy: { '^/(api|oauth|sign-in|signed-in|sign-out|invitation)': service } },
})
