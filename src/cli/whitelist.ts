import { Command, Option } from 'commander'
import { type Hex, toFunctionSelector } from 'viem'
import { oneLine } from '../core/errors/oneLine.ts'
import { checkNonZeroAddress } from '../evm/values/checkAddress.ts'
import { InvalidSignatureTextError } from './call/errors.ts'
import { parseSignature } from './call/parseSignature.ts'
import { callSandbox } from './connection/callSandbox.ts'
import { chainOf } from './connection/chainOf.ts'
import { findMerchant } from './connection/findMerchant.ts'
import { sandboxOptions } from './connection/sandboxOptions.ts'
import { exitCodeHelp } from './exitCodes.ts'
import { readNumber } from './readNumber.ts'

export const whitelist = new Command('whitelist')
  .description("The merchant's whitelist: which contracts, and which of their functions, a redeem may call.")
  .usage('<request|approve|reject|remove|list> [contract] [function] [options]')
  .addCommand(
    change('request', 'Asks for an entry, as a merchant does; it is pending until it is approved.').action(
      async (contract: string, signature: string | undefined, options, command: Command) => {
        const { merchant, body } = await readEntry(command, { contract, signature })
        await callSandbox(merchant, { path: '/api/merchant/program', body })
        say(options, { ...body, status: 'pending' }, 'requested')
      },
    ),
  )
  .addCommand(
    change('approve', 'Allows it, whether it was requested or not.', [
      new Option(
        '--minimum-gas <gas>',
        'gas that a relayer has to leave for the call, 1 to 15,500,000 (default: 100,000)',
      ).argParser(readNumber),
      new Option('--dst-chain <id>', 'chain id of a contract that decent redeems call there').argParser(
        readNumber,
      ),
    ]).action(async (contract: string, signature: string | undefined, options, command: Command) => {
      const { minimumGas, dstChain: chainId } = options
      await decide(command, { contract, signature, approved: true, how: { minimumGas, chainId } })
    }),
  )
  .addCommand(
    change('reject', 'Turns a request down.').action(
      async (contract: string, signature: string | undefined, _, command: Command) =>
        decide(command, { contract, signature, approved: false }),
    ),
  )
  .addCommand(
    change('remove', 'Takes an entry off: no redeem may call it any more.').action(
      async (contract: string, signature: string | undefined, _, command: Command) =>
        decide(command, { contract, signature, approved: false, words: 'removed' }),
    ),
  )
  .addCommand(
    sandboxOptions(new Command('list').description('Lists requests and entries.'))
      .addHelpText('after', exitCodeHelp('listed'))
      .action(async ({ json }, command: Command) => {
        const { programs } = await callSandbox<{ programs: readonly Entry[] }>(await findMerchant(command), {
          path: '/sandbox/programs',
        })
        console.log(json ? JSON.stringify({ programs }) : listText(programs))
      }),
  )
  .addHelpText(
    'after',
    `
A function is its signature, or its selector: "buy(address,uint256)", 0xcce7ec13. Without one, every function.

Examples:
  npx redeemkit whitelist request 0x5FbDB2315678afecb367f032d93F642f64180aa3 "buy(address,uint256)"
  npx redeemkit whitelist approve 0x5FbDB2315678afecb367f032d93F642f64180aa3 "buy(address,uint256)"
  npx redeemkit whitelist list`,
  )

type Entry = { blockchain: string; programId: string; selector?: string; status: string }

function change(name: string, description: string, options: readonly Option[] = []): Command {
  const command = new Command(name)
    .description(description)
    .argument('<contract>', 'its address')
    .argument(
      '[function]',
      'its signature, such as "buy(address,uint256)", or its selector; default: every function',
    )
    .optionsGroup('The entry:')
    .option('--chain <name>', 'chain of the credits (default: the first of the sandbox)')
  for (const option of options) command.addOption(option)
  return sandboxOptions(command).addHelpText('after', exitCodeHelp('done'))
}

async function readEntry(
  command: Command,
  { contract, signature }: { contract: string; signature: string | undefined },
) {
  const programId = checkNonZeroAddress(contract, 'contract')
  const selector = signature === undefined ? undefined : readSelector(signature)
  const merchant = await findMerchant(command)
  const { blockchain } = await chainOf(merchant, command.opts().chain)
  return { merchant, body: { blockchain, programId, ...(selector !== undefined && { selector }) } }
}

function readSelector(text: string): Hex {
  if (!text.startsWith('0x')) return toFunctionSelector(parseSignature(text, 'function'))
  if (/^0x[0-9a-fA-F]{8}$/.test(text)) return text.toLowerCase() as Hex // as the pattern says
  throw new InvalidSignatureTextError(`${oneLine(text.slice(0, 80))} is not a selector.`, {
    field: 'function',
    fix: 'Give the 4 bytes of one, such as 0xcce7ec13, or the signature: "buy(address,uint256)".',
  })
}

async function decide(
  command: Command,
  entry: {
    contract: string
    signature: string | undefined
    approved: boolean
    how?: { minimumGas: number | undefined; chainId: number | undefined }
    words?: string
  },
): Promise<void> {
  const { approved, how } = entry
  const { merchant, body } = await readEntry(command, entry)
  const { hash } = await callSandbox<{ hash?: Hex }>(merchant, {
    path: '/sandbox/program',
    body: { ...body, approved, ...how },
  })
  const status = approved ? 'approved' : 'rejected'
  say(command.opts(), { ...body, status, hash }, entry.words ?? status)
}

function say({ json }: { json?: boolean }, entry: Entry & { hash?: Hex | undefined }, words: string): void {
  const { blockchain, programId, selector = 'every function' } = entry
  console.log(json ? JSON.stringify(entry) : oneLine(`${words}: ${programId} on ${blockchain}, ${selector}`))
}

function listText(programs: readonly Entry[]): string {
  if (programs.length === 0)
    return 'The whitelist is empty. Ask for an entry: npx redeemkit whitelist request <contract> [function]'
  return programs
    .map(({ blockchain, programId, selector = 'every function', status }) =>
      oneLine(`${status.padEnd(9)} ${blockchain.padEnd(9)} ${programId}  ${selector}`),
    )
    .join('\n')
}
