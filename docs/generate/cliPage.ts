import type { Command } from 'commander'
import { createCommand } from '../../src/sandbox/cli/createCommand.ts'

/** The page of the command `redeemkit`: what it prints as its own help. */
export function cliPage(): string {
  const root = createCommand()
  const sections = root.commands.map((command) => `## ${command.name()}\n\n${help(command)}\n`)
  return `# Commands\n\n\`npm install --save-dev @redeemkit/sandbox\` brings the command \`redeemkit\`.\n\n${help(root)}\n\n${sections.join('\n')}`
}

/** The help of a command and of its own subcommands. */
function help(command: Command): string {
  let text = ''
  const writeOut = (part: string) => {
    text += part
  }
  command.configureOutput({ writeOut, getOutHelpWidth: () => 100, getOutHasColors: () => false }).outputHelp()
  const own = command.parent === null ? [] : command.commands.map(help)
  return [`\`\`\`text\n${text.trimEnd()}\n\`\`\``, ...own].join('\n\n')
}
