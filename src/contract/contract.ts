import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { agentProfileSchema, approvalDecisionSchema, namedAgentSchema } from './agent.ts'
import {
  askRequestSchema,
  chatSchema,
  chatSummarySchema,
  chatStateSchema,
  chatTitleCharacters,
  draftSchema,
  openedCitationSchema,
  turnEventSchema,
} from './answer.ts'
import { errorCodes, errorValueSchema, type ErrorCode } from './errors.ts'
import {
  breakdownCellSchema,
  documentSchema,
  documentSortSchema,
  documentStatusSchema,
  documentKindSchema,
  extractResultSchema,
  folderSchema,
  indexProgressSchema,
  passageSchema,
  scopeSchema,
  reasonSchema,
  sectionSchema,
  splitPieceSchema,
  splitStrategySchema,
} from './library.ts'
import { memoryKindSchema, memorySchema } from './memory.ts'
import { messageSchema } from './message.ts'
import { modelRefSchema, modelSchema, modelsStateSchema, providerSchema, providerStateSchema, pullProgressSchema } from './models.ts'
import { searchRequestSchema, searchResultSchema } from './search.ts'
import {
  countAnswerSchema,
  countRequestSchema,
  fileAnswerSchema,
  fileQuerySchema,
  summariseRequestSchema,
  summaryEventSchema,
  tableAnswerSchema,
  tableQuerySchema,
  tableSchema,
} from './tables.ts'
import { backupsSchema, contactSchema, doctorReportSchema, settingsPatchSchema, settingsSchema, statusSchema } from './settings.ts'
import { mcpServerSchema, mcpServerStateSchema, toolInfoSchema } from './tools.ts'

/** Everything of an error but its code and message, which stand beside it. */
const errorDataSchema = errorValueSchema.omit({ code: true, message: true })

const errorMap = Object.fromEntries(errorCodes.map((code) => [code, { data: errorDataSchema }])) as {
  [K in ErrorCode]: { data: typeof errorDataSchema }
}

const call = oc.errors(errorMap)
const nothing = z.object({}).default({})
const done = z.object({ done: z.literal(true) })
const folderId = z.object({ folderId: z.number().int() })
const documentId = z.object({ documentId: z.number().int() })
const chatId = z.object({ chatId: z.string() })

/**
 * The whole surface between an interface and the core: the list to audit.
 * Hosts carry it over a MessagePort, a WebSocket or in memory; the caller is known from the transport, never from the input.
 */
export const contract = {
  library: {
    status: call.input(nothing).output(statusSchema),
    /** A snapshot at once and then as things change, at most five a second. Leaving it stops nothing. */
    progress: call.input(nothing).output(eventIterator(indexProgressSchema)),
    pause: call.input(nothing).output(done),
    resume: call.input(nothing).output(done),
  },
  folders: {
    list: call.input(nothing).output(z.array(folderSchema)),
    /** Directories or single files, as absolute paths. Answers once they are noted; watch `library.progress` for the rest. */
    add: call.input(z.object({ paths: z.array(z.string().min(1)).min(1).max(10_000), copied: z.boolean().default(false) })).output(
      z.object({
        folders: z.array(folderSchema),
        refused: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
      }),
    ),
    /** From Siku, never from disk. `undo` within the session brings it back without reading again. */
    remove: call.input(folderId).output(done),
    restore: call.input(folderId).output(folderSchema),
    pause: call.input(folderId).output(done),
    resume: call.input(folderId).output(done),
    rescan: call.input(folderId).output(done),
  },
  documents: {
    list: call
      .input(
        z.object({
          folderId: z.number().int().optional(),
          /** Only what lies in this document, such as what is attached to a mail; not what lies in that again. */
          within: z.number().int().optional(),
          statuses: z.array(documentStatusSchema).optional(),
          kinds: z.array(documentKindSchema).optional(),
          /** Part of the path, in any case. */
          name: z.string().optional(),
          /** Milliseconds since 1970; the file's own time. */
          modifiedFrom: z.number().optional(),
          modifiedBefore: z.number().optional(),
          leastBytes: z.number().optional(),
          lessThanBytes: z.number().optional(),
          /** Left out: as the folders have them. What is equal is in the order of the path. */
          sort: documentSortSchema.optional(),
          descending: z.boolean().default(false),
          offset: z.number().int().min(0).default(0),
          limit: z.number().int().min(1).max(100_000).default(200),
        }),
      )
      .output(z.object({ total: z.number().int(), documents: z.array(documentSchema) })),
    /** How many there are by kind, month and size: what a picture of the library is drawn from. */
    breakdown: call.input(folderId.partial().default({})).output(z.array(breakdownCellSchema)),
    get: call.input(documentId).output(documentSchema),
    /** Where its bytes can be read; of one that lies in another, a copy in the data directory. */
    file: call.input(documentId).output(z.object({ path: z.string(), sizeBytes: z.number(), contentType: z.string() })),
    /** What was read: the text as Siku sees it, a part at a time. */
    sections: call
      .input(documentId.extend({ offset: z.number().int().min(0).default(0), limit: z.number().int().min(1).max(2000).default(200) }))
      .output(z.object({ total: z.number().int(), sections: z.array(sectionSchema) })),
    passages: call
      .input(documentId.extend({ offset: z.number().int().min(0).default(0), limit: z.number().int().min(1).max(2000).default(200) }))
      .output(z.object({ total: z.number().int(), passages: z.array(passageSchema) })),
    /** `more`: with more time and memory than the settings give, until Siku ends. */
    retry: call.input(documentId.extend({ more: z.boolean().default(false) })).output(done),
    /** Tries a password at once and, when it opens the document, reads it. `keep`: for these bytes, in the store of secrets. */
    unlock: call
      .input(documentId.extend({ password: z.string().min(1).max(1000), keep: z.boolean().default(false) }))
      .output(z.object({ opened: z.boolean(), reason: reasonSchema.nullable() })),
    /** Reads a file without indexing it. */
    extract: call
      .input(z.object({ path: z.string(), ocr: z.boolean().default(true), password: z.string().min(1).max(1000).optional() }))
      .output(extractResultSchema),
    split: call
      .input(
        z.object({
          path: z.string(),
          strategy: splitStrategySchema.default('structure'),
          maxTokens: z.number().int().min(16).max(100_000).optional(),
          overlap: z.number().int().min(0).max(50_000).optional(),
        }),
      )
      .output(z.array(splitPieceSchema)),
    /**
     * Opens the file in the system's own program, or shows it in its folder. Of a document that lies in another, a copy that cannot
     * be written is opened, and the file around it is shown; a program in a mail is not opened (`unsupported`).
     */
    openOutside: call.input(documentId).output(done),
    showInFolder: call.input(documentId).output(done),
  },
  tables: {
    /** The sheets that can be queried. */
    list: call.input(z.object({ scope: scopeSchema.default({}) }).default({ scope: {} })).output(z.array(tableSchema)),
    /** One SELECT, read-only; ended after two seconds (`timeout`). */
    query: call.input(tableQuerySchema).output(tableAnswerSchema),
  },
  overview: {
    /** Where words stand, over the whole text of the library. */
    count: call.input(countRequestSchema).output(countAnswerSchema),
    files: call.input(fileQuerySchema).output(fileAnswerSchema),
    /** Progress, then the summary. Leaving it stops the work; what was made is kept until the documents change. */
    summarise: call.input(summariseRequestSchema).output(eventIterator(summaryEventSchema)),
  },
  search: {
    query: call.input(searchRequestSchema).output(searchResultSchema),
  },
  chats: {
    list: call.input(z.object({ text: z.string().optional() }).default({})).output(z.array(chatSummarySchema)),
    get: call.input(chatId).output(chatSchema),
    rename: call.input(chatId.extend({ title: z.string().min(1).max(chatTitleCharacters) })).output(done),
    pin: call.input(chatId.extend({ pinned: z.boolean() })).output(done),
    remove: call.input(chatId).output(done),
    restore: call.input(chatId).output(done),
    exportMarkdown: call.input(chatId).output(z.object({ fileName: z.string(), markdown: z.string() })),
    exportJson: call.input(chatId).output(z.object({ fileName: z.string(), json: z.string() })),
    /** A file of `exportJson`, as a new chat. Nothing else is changed. */
    importJson: call.input(z.object({ json: z.string().max(200_000_000) })).output(z.object({ chatId: z.string() })),
    /** The agent of this chat: its words, name and tools; null for Siku's own. */
    configure: call.input(chatId.extend({ agent: agentProfileSchema.nullable() })).output(done),
    /** What stands unsent in a chat; null: in a new one. */
    draft: call.input(z.object({ chatId: z.string().min(1).nullable() })).output(draftSchema.nullable()),
    saveDraft: call.input(z.object({ chatId: z.string().min(1).nullable(), draft: draftSchema })).output(done),
    /**
     * Which chats are at work or wait for the user's word, and a number that rises with each change of the list. Small, to be
     * looked at often.
     */
    activity: call
      .input(nothing)
      .output(
        z.object({ revision: z.number().int(), chats: z.array(z.object({ id: z.string(), title: z.string(), state: chatStateSchema })) }),
      ),
    /** Starts a turn and answers with its id at once; `turns.watch` streams what happens. */
    ask: call.input(askRequestSchema).output(z.object({ chatId: z.string(), turnId: z.string() })),
  },
  turns: {
    /** All events from `from` on, then live until the turn's end. May be left and joined again; leaving stops nothing. */
    watch: call.input(z.object({ turnId: z.string(), from: z.number().int().min(0).default(0) })).output(eventIterator(turnEventSchema)),
    /** The only thing that aborts a turn. Its partial text is kept. */
    stop: call.input(z.object({ turnId: z.string() })).output(done),
    /**
     * The user's word on one tool call. `digest` is that of the approval which was shown: a word on anything else is refused
     * (`conflict`). Only once counts for a dangerous one.
     */
    approve: call
      .input(z.object({ turnId: z.string(), approvalId: z.string(), digest: z.string(), decision: approvalDecisionSchema }))
      .output(done),
    /** What was sent to and came from the model, tool results included: an agent's turn in full. */
    messages: call.input(z.object({ turnId: z.string() })).output(z.array(messageSchema)),
    openCitation: call.input(z.object({ turnId: z.string(), marker: z.number().int().min(1) })).output(openedCitationSchema),
  },
  hearing: {
    /** What was said in a recording. `model-config` where nothing is set up that turns sound into text. */
    transcribe: call
      .input(z.object({ data: z.string().min(1).max(40_000_000), mediaType: z.string().min(1).max(255) }))
      .output(z.object({ text: z.string() })),
  },
  models: {
    state: call.input(z.object({ refresh: z.boolean().default(false) }).default({ refresh: false })).output(modelsStateSchema),
    /** Null: let Siku choose. */
    choose: call.input(z.object({ ref: modelRefSchema.nullable() })).output(modelsStateSchema),
    pull: call.input(z.object({ providerId: z.string(), name: z.string().min(1).max(200) })).output(eventIterator(pullProgressSchema)),
    remove: call.input(z.object({ providerId: z.string(), name: z.string().min(1).max(200) })).output(done),
    show: call.input(z.object({ providerId: z.string(), name: z.string().min(1).max(200) })).output(modelSchema),
    copy: call.input(z.object({ providerId: z.string(), from: z.string().min(1).max(200), to: z.string().min(1).max(200) })).output(done),
    /** Whether the program behind an Ollama provider is on this computer; null for one that runs elsewhere. */
    local: call.input(z.object({ providerId: z.string() })).output(z.object({ installed: z.boolean().nullable() })),
    /** Starts an Ollama that is installed here and does not run; answers once it does. */
    start: call.input(z.object({ providerId: z.string() })).output(modelsStateSchema),
    /** Out of memory, not off the disk. */
    unload: call.input(z.object({ providerId: z.string(), name: z.string().min(1).max(200) })).output(done),
  },
  agents: {
    list: call.input(nothing).output(z.array(namedAgentSchema)),
    save: call.input(z.object({ agent: namedAgentSchema.partial({ id: true }) })).output(namedAgentSchema),
    remove: call.input(z.object({ agentId: z.string() })).output(done),
  },
  tools: {
    list: call.input(nothing).output(z.array(toolInfoSchema)),
    setEnabled: call.input(z.object({ name: z.string(), enabled: z.boolean() })).output(done),
    /** Takes back an "always". */
    revoke: call.input(z.object({ tool: z.string(), site: z.string() })).output(done),
  },
  mcp: {
    list: call.input(nothing).output(z.array(mcpServerStateSchema)),
    /** `secrets`: values for its environment by name, or `{key}` for a bearer token; '' forgets one; left out, they stay. */
    save: call
      .input(z.object({ server: mcpServerSchema, secrets: z.record(z.string(), z.string().max(10_000)).optional() }))
      .output(mcpServerStateSchema),
    remove: call.input(z.object({ serverId: z.string() })).output(done),
    /** Connects as it would be saved, lists its tools, and ends the connection. Saves nothing. */
    test: call
      .input(z.object({ server: mcpServerSchema, secrets: z.record(z.string(), z.string().max(10_000)).optional() }))
      .output(mcpServerStateSchema),
    /** The user's yes to a tool as it was shown: `hash` must be what the server offers now (`conflict` else). */
    setTool: call
      .input(z.object({ serverId: z.string(), tool: z.string(), hash: z.string(), enabled: z.boolean() }))
      .output(mcpServerStateSchema),
  },
  memory: {
    list: call
      .input(
        z.object({
          text: z.string().optional(),
          offset: z.number().int().min(0).default(0),
          limit: z.number().int().min(1).max(1000).default(200),
        }),
      )
      .output(z.object({ total: z.number().int(), memories: z.array(memorySchema) })),
    /** Those that hold the text, newest first, then those that fit it by meaning, best first. */
    find: call
      .input(z.object({ text: z.string().trim().min(1).max(2000), limit: z.number().int().min(1).max(1000).default(50) }))
      .output(z.object({ memories: z.array(memorySchema) })),
    add: call.input(z.object({ text: z.string().trim().min(1).max(1000), kind: memoryKindSchema.default('fact') })).output(memorySchema),
    update: call.input(z.object({ id: z.string(), text: z.string().trim().min(1).max(1000) })).output(memorySchema),
    remove: call.input(z.object({ id: z.string() })).output(done),
    restore: call.input(z.object({ id: z.string() })).output(memorySchema),
    clear: call.input(nothing).output(z.object({ removed: z.number().int() })),
    exportJson: call.input(nothing).output(z.object({ fileName: z.string(), json: z.string() })),
    /** Memories that are there already are not doubled. */
    importJson: call.input(z.object({ json: z.string().max(50_000_000) })).output(z.object({ added: z.number().int() })),
  },
  providers: {
    save: call.input(z.object({ provider: providerSchema, key: z.string().max(1000).optional() })).output(providerSchema),
    remove: call.input(z.object({ providerId: z.string() })).output(done),
    test: call.input(z.object({ provider: providerSchema, key: z.string().max(1000).optional() })).output(providerStateSchema),
  },
  settings: {
    get: call.input(nothing).output(settingsSchema),
    patch: call.input(settingsPatchSchema).output(settingsSchema),
  },
  /** Copies of the library's database. */
  backups: {
    list: call.input(nothing).output(backupsSchema),
    create: call.input(nothing).output(backupsSchema),
    /** Put back before the next start, as a library that is open cannot be replaced; null takes that back. */
    restoreAtStart: call.input(z.object({ name: z.string().max(200).nullable() })).output(backupsSchema),
  },
  network: {
    ledger: call.input(nothing).output(z.array(contactSchema)),
  },
  doctor: {
    run: call.input(nothing).output(doctorReportSchema),
  },
  system: {
    info: call.input(nothing).output(
      z.object({
        version: z.string(),
        host: z.enum(['electron', 'browser', 'terminal']),
        platform: z.string(),
        homeDir: z.string(),
        memoryBytes: z.number(),
        /** How secrets are kept; `plain-file` deserves a warning. */
        secrets: z.enum(['keyring', 'owner-file', 'plain-file']),
        canPickFolders: z.boolean(),
        canOpenOutside: z.boolean(),
        canLocateDrops: z.boolean(),
      }),
    ),
    /** For choosing a folder where the host has no dialog of its own: directories only. */
    listDirectory: call
      .input(z.object({ path: z.string() }))
      .output(z.object({ path: z.string(), parent: z.string().nullable(), directories: z.array(z.string()) })),
    /** The host's own dialog; empty when cancelled. */
    pickFolders: call.input(nothing).output(z.object({ paths: z.array(z.string()) })),
  },
}
export type Contract = typeof contract
