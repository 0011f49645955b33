import hooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['out/', 'dist/', 'node_modules/', 'coverage/', 'resources/', 'build/', 'docs/'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true, namespaceFrom: true } },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/core/**/*.ts', 'src/contract/**/*.ts', 'src/renderer/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-globals': ['error', { name: 'process', message: 'The outside is passed in (deps.env, deps.now, …).' }],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'The outside is passed in (deps.env).' }],
    },
  },
  {
    // Entries of child processes and threads, and the fork that starts them, are the outside of core.
    files: ['src/core/**/*-process.ts', 'src/core/**/*-thread.ts', 'src/core/work/**/*.ts', 'src/core/**/*.test.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  { files: ['src/renderer/**/*.{ts,tsx}'], plugins: { 'react-hooks': hooks }, rules: hooks.configs.recommended.rules },
  { files: ['bench/**', 'scripts/**', 'test/**', 'src/cli/**'], rules: { 'no-console': 'off' } },
  { files: ['**/*.config.{ts,js}', 'bin/**'], rules: { 'no-restricted-exports': 'off' } },
)
