import type { Command } from 'commander'
import type { NamedAgent } from '../../contract/agent.ts'
import { agentIn, checkTools, namedAgent } from '../agent-profile.ts'
import type { Run } from '../cli.ts'
import { filled, names, wholeNumber } from '../options.ts'
import { count, jsonResult, plain, result, say, table } from '../output.ts'
import { readNamed } from '../reachable.ts'
import type { Words } from '../words.ts'

interface SaveOptions {
  system?: string
  systemFile?: string
  tools?: string[]
  allTools?: true
  memory?: boolean
  maxSteps?: number
  rename?: string
}

export function addAgents(siku: Command, run: Run): void {
  const agents = siku
    .command('agents')
    .description('agents of your own by their names, for siku agent --agent: list, show, save, remove')
    .addHelpText(
      'after',
      `
Examples:
  $ siku agents save Lawyer --system "Answer as a careful lawyer." --tools search_library,read_document
  $ siku agents save Lawyer --max-steps 5
  $ siku agent --agent Lawyer "What is the notice period?"
  $ siku agents show Lawyer
  $ siku agents remove Lawyer`,
    )
  const list = (command: Command): Promise<void> =>
    run(command, async ({ open, globals, words, signal }) => {
      const { client } = await open()
      const all = await client.agents.list({}, { signal })
      if (globals.json) return jsonResult(all)
      if (all.length === 0) return say(words.agent.noAgents)
      result(table(all.map((each) => [plain(each.name), toolsOf(each, words), firstLine(each.system)])))
    })
  agents.action((_options: unknown, command: Command) => list(command))
  agents
    .command('list')
    .description('all of them (as siku agents alone)')
    .action((_options: unknown, command: Command) => list(command))
  agents
    .command('show')
    .description('everything of one: its own words, tools, memory and limit')
    .argument('<name>', 'its name or id', filled)
    .action((name: string, _options: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const agent = await namedAgent(client, name, words, signal)
        if (globals.json) return jsonResult(agent)
        result(`${plain(agent.name)}\n${table(rowsOf(agent, words))}${agent.system === '' ? '' : `\n\n${agent.system}`}`)
      }),
    )
  agents
    .command('save')
    .description('makes one, or changes what is given of the one with this name')
    .argument('<name>', 'its name', filled)
    .option('--system <text>', 'words of your own that it is told before everything')
    .option('--system-file <file>', 'the same, from a file', filled)
    .option('--tools <names>', 'the only tools it may use, with commas between: search_library,calculate', names)
    .option('--all-tools', 'all tools that are switched on')
    .option('--memory', 'memories are read and written')
    .option('--no-memory', 'they are not')
    .option('--max-steps <number>', 'at most so many rounds of the model in a turn', wholeNumber(1, 1000))
    .option('--rename <name>', 'a new name', filled)
    .action((name: string, options: SaveOptions, command: Command) => {
      if (options.system !== undefined && options.systemFile !== undefined)
        command.error('error: --system and --system-file cannot be used together', { exitCode: 2 })
      if (options.tools !== undefined && options.allTools === true)
        command.error('error: --tools and --all-tools cannot be used together', { exitCode: 2 })
      return run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const known = await client.agents.list({}, { signal })
        const before = agentIn(known, name)
        const system =
          options.systemFile === undefined ? options.system : (await readNamed(options.systemFile, words)).data.toString('utf8')
        if (options.tools !== undefined) await checkTools(client, options.tools, words, signal)
        const agent = await client.agents.save(
          {
            agent: {
              ...(before ?? { system: '', tools: null, memory: true }),
              name: options.rename ?? before?.name ?? name,
              ...(system === undefined ? {} : { system: system.trim() }),
              ...(options.allTools === true ? { tools: null } : options.tools === undefined ? {} : { tools: options.tools }),
              // Commander sets the default of a --no- option.
              ...(command.getOptionValueSource('memory') === 'cli' ? { memory: options.memory === true } : {}),
              ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
            },
          },
          { signal },
        )
        if (globals.json) jsonResult(agent)
        else result(words.agent.agentSaved(plain(agent.name)))
      })
    })
  agents
    .command('remove')
    .description('removes one; chats that were begun with it keep it')
    .argument('<name>', 'its name or id', filled)
    .action((name: string, _options: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const agent = await namedAgent(client, name, words, signal)
        await client.agents.remove({ agentId: agent.id }, { signal })
        if (globals.json) jsonResult(agent)
        else result(words.agent.agentRemoved(plain(agent.name)))
      }),
    )
}

function rowsOf(agent: NamedAgent, words: Words): string[][] {
  const { agentLabels } = words.agent
  return [
    [agentLabels.tools, toolsOf(agent, words)],
    [agentLabels.memory, agentLabels.isOn(agent.memory)],
    ...(agent.maxSteps === undefined ? [] : [[agentLabels.maxSteps, count(agent.maxSteps)]]),
  ]
}

function toolsOf({ tools }: NamedAgent, words: Words): string {
  return tools === null ? words.agent.agentLabels.allTools : tools.length === 0 ? words.agent.agentLabels.noTools : tools.join(', ')
}

function firstLine(text: string): string {
  const line = plain(text.split('\n')[0] ?? '')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
