import { expect, test } from 'vitest'
import type { Model, ProviderState } from '../../contract/models.ts'
import { nextStep } from './next-step.ts'

const model = (name: string, sizeBytes: number, more: Partial<Model> = {}): Model => ({
  ref: { providerId: 'ollama', model: name },
  sizeBytes,
  family: null,
  parameters: null,
  quantisation: null,
  contextLength: null,
  capabilities: ['completion'],
  loaded: false,
  loadedBytes: null,
  remote: false,
  ...more,
})
const state = (more: Partial<ProviderState>): ProviderState => ({
  provider: { id: 'ollama', kind: 'ollama', name: 'Ollama', address: '', hasKey: false },
  reachable: true,
  version: '0.12.0',
  advice: null,
  error: null,
  models: [],
  ...more,
})
const away = state({ reachable: false, error: { code: 'model-unreachable', message: 'ECONNREFUSED', retryable: true } })
const around = { installed: undefined, memoryBytes: 16e9, effective: { providerId: 'ollama', model: 'small' } }

test('one that is not there is installed, one that does not run is started; one elsewhere is left alone', () => {
  expect(nextStep(away, { ...around, installed: false })).toEqual({ kind: 'install' })
  expect(nextStep(away, { ...around, installed: true })).toEqual({ kind: 'start' })
  expect(nextStep(away, { ...around, installed: null })).toBeNull()
  expect(nextStep(away, around)).toBeNull()
})

test('without a model that answers, one that fits is offered; an embedding model or one in the cloud does not answer here', () => {
  const models = [model('embed', 1e9, { capabilities: ['embedding'] }), model('cloud', 4e9, { remote: true })]
  expect(nextStep(state({ models }), around)).toMatchObject({ kind: 'pull', model: { name: 'qwen3:8b' } })
})

test('a larger one is offered only where it fits and is much larger', () => {
  const small = state({ models: [model('small', 0.5e9)] })
  expect(nextStep(small, around)).toMatchObject({ kind: 'larger', model: { name: 'qwen3:8b' } })
  expect(nextStep(small, { ...around, memoryBytes: 2e9 })).toBeNull()
  expect(nextStep(state({ models: [model('small', 0.5e9), model('big', 4.7e9)] }), around)).toBeNull()
  expect(nextStep(small, { ...around, effective: { providerId: 'zhipu', model: 'glm' } })).toBeNull()
})
