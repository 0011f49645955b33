import { workerData } from 'node:worker_threads'
import { openReader } from '../store/store.ts'
import { serveRpc } from '../work/work.ts'
import { loadHnsw } from './hnsw.ts'
import { createIndexService, type IndexThreadData } from './index-service.ts'

/** The entry of the thread that searches: keyword index, vectors and fusion, beside the main process. */
const data = workerData as IndexThreadData
const library = data.withoutHnsw ? null : await loadHnsw()
serveRpc(createIndexService(openReader(data.databasePath), library, data))
