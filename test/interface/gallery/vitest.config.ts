import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/interface/gallery/*.run.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
})
