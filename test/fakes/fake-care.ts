import { implement, ORPCError } from '@orpc/server'
import { contract } from '../../src/contract/contract.ts'
import type { Backup, Finding } from '../../src/contract/settings.ts'
import { contactsOf, type Scenario } from './fake-library.ts'

function findingsOf(scenario: Scenario): Finding[] {
  const broken = scenario === 'broken'
  const found: Finding[] = [
    broken
      ? { code: 'store-damaged', level: 'error', message: 'The store is damaged.', remedy: 'Restore a backup.' }
      : { code: 'store-ok', level: 'ok', message: 'The store is sound.', remedy: null },
    {
      code: 'hnsw-missing',
      level: 'warning',
      message: 'hnswlib-node is not installed: vectors are scanned exactly.',
      remedy: 'Install a C++ compiler and run npm ci again.',
    },
  ]
  if (broken) found.push({ code: 'provider-unreachable', level: 'warning', message: 'Ollama does not answer.', remedy: null })
  else found.push({ code: 'provider-ok', level: 'ok', message: 'Ollama 0.11.4 answers.', remedy: null })
  if (scenario === 'own')
    found.push({ code: 'documents-failed', level: 'info', message: '95 documents of /home/lin/资料 could not be read.', remedy: null })
  return found
}

/** What looks after the library: the ledger, the doctor, and backups. */
export function createCareCalls(scenario: Scenario, startedAt: number) {
  const os = implement(contract)
  const backups: Backup[] =
    scenario === 'own' ? [{ name: 'siku-2026-11-02T08-30-00.db', sizeBytes: 182_000_000, madeAt: Date.UTC(2026, 10, 2, 8, 30) }] : []
  let restoreNext: string | null = null
  const state = () => ({ directory: '/home/lin/.local/share/siku/backups', backups, restoreNext })
  return {
    network: { ledger: os.network.ledger.handler(() => contactsOf(scenario, startedAt)) },
    doctor: {
      run: os.doctor.run.handler(() => ({ ok: scenario !== 'broken', findings: findingsOf(scenario) })),
    },
    backups: {
      list: os.backups.list.handler(() => state()),
      create: os.backups.create.handler(() => {
        if (scenario === 'broken') throw new ORPCError('disk-full', { message: 'ENOSPC', data: { retryable: true } })
        backups.unshift({
          name: `siku-2026-11-30T0${backups.length}-00-00.db`,
          sizeBytes: 182_400_000,
          madeAt: Date.UTC(2026, 10, 30, backups.length),
        })
        return state()
      }),
      restoreAtStart: os.backups.restoreAtStart.handler(({ input }) => {
        restoreNext = input.name
        return state()
      }),
    },
  }
}
