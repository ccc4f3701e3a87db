import { Command, Option } from 'commander'
import { type Abi, type Hex, toFunctionSelector, toFunctionSignature } from 'viem'
import * as z from 'zod/mini'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../redeemkit/core/errors/oneLine.ts'
import { defaultMinimumGas } from '../../redeemkit/core/limits.ts'
import { checkNonZeroAddress } from '../../redeemkit/evm/checkAddress.ts'
import { sameHex } from '../../redeemkit/evm/values.ts'
import { requestWhitelist } from '../../redeemkit/schema/endpoints/routes.ts'
import { bytes32 } from '../../redeemkit/schema/values.ts'
import { parseFunction } from '../parseSelector.ts'
import { minimumGasRange } from '../simulation/rules/ruleCatalogue.ts'
import { callSandbox, chainOf } from './connection/callSandbox.ts'
import { findMerchant, type SandboxAddress } from './connection/findSandbox.ts'
import { readNumber, sandboxOptions } from './options.ts'
import { exitCodeHelp, printWarning } from './printError.ts'
import { readAbis } from './printReport.ts'

export const whitelist = new Command('whitelist')
  .description("Manages the merchant's whitelist: the contracts and functions that a redeem may call.")
  .usage('<request|approve|reject|remove|list> [contract] [function] [options]')
  .addCommand(
    change('request', 'Requests an entry, as a merchant does. It is pending until approved.').action(
      async (contract: string, signature: string | undefined, options, command: Command) => {
        const { merchant, body, name } = await readEntry(command, { contract, signature })
        await callSandbox(merchant, { path: requestWhitelist.path, body })
        say(options, { ...body, status: 'pending' }, { message: 'requested', name })
      },
    ),
  )
  .addCommand(
    change('approve', 'Approves an entry, even if it was not requested.', [
      new Option(
        '--minimum-gas <gas>',
        `gas that a relayer must provide for the call, ${minimumGasRange} (default: ${defaultMinimumGas.toLocaleString('en-US')})`,
      ).argParser(readNumber),
      new Option(
        '--dst-chain <id>',
        'chain id of the contract, if decent redeems call it on another chain',
      ).argParser(readNumber),
    ]).action(async (contract: string, signature: string | undefined, options, command: Command) => {
      const { minimumGas, dstChain: chainId } = options
      const { merchant, body, name } = await readEntry(command, { contract, signature })
      const { hash } = await callSandbox(merchant, {
        path: '/sandbox/program',
        answer: decided,
        body: { ...body, signature: name, approved: true, minimumGas, chainId },
      })
      say(options, { ...body, status: 'approved', hash }, { message: 'approved', name })
    }),
  )
  .addCommand(takingOff('reject', 'Rejects a request.', 'rejected'))
  .addCommand(
    takingOff(
      'remove',
      'Removes an entry, so that redeems can no longer call it. It stays on the list as rejected.',
      'removed',
    ),
  )
  .addCommand(
    sandboxOptions(new Command('list').description('Lists requests and entries.'))
      .addHelpText('after', exitCodeHelp('listed'))
      .option('--abi <folder>', 'build folder with ABIs to name functions (default: ./out or ./artifacts)')
      .action(async ({ json, abi }, command: Command) => {
        const programs = await entriesOf(await findMerchant(command))
        if (json) return console.log(JSON.stringify({ programs }))
        const names = signaturesIn(await readAbis(abi))
        console.log(listText(programs.map((one) => ({ ...one, signature: signatureOf(one, names) }))))
      }),
  )
  .addHelpText(
    'after',
    `
Pass a function as its signature or selector: "buy(address,uint256)" or 0xcce7ec13. Without one, the entry is for every function.

Examples:
  npx redeemkit whitelist request 0x5FbDB2315678afecb367f032d93F642f64180aa3 "buy(address,uint256)"
  npx redeemkit whitelist approve 0x5FbDB2315678afecb367f032d93F642f64180aa3 "buy(address,uint256)"
  npx redeemkit whitelist list`,
  )

const entry = z.object({
  blockchain: z.string(),
  programId: z.string(),
  selector: z.optional(z.string()),
  /** The service returns a signature only for common functions. */
  signature: z.optional(z.string()),
  status: z.string(),
})
type Entry = z.infer<typeof entry>

const entriesAnswer = z.object({ programs: z.array(entry) })

async function entriesOf(merchant: SandboxAddress): Promise<readonly Entry[]> {
  return (await callSandbox(merchant, { path: '/sandbox/programs', answer: entriesAnswer })).programs
}

function change(name: string, description: string, options: readonly Option[] = []): Command {
  const command = new Command(name)
    .description(description)
    .argument('<contract>', 'contract address')
    .argument(
      '[function]',
      'signature, such as "buy(address,uint256)", or selector (default: every function)',
    )
    .optionsGroup('The entry:')
    .option('--chain <name>', "chain of the credits (default: the sandbox's first)")
  for (const option of options) command.addOption(option)
  return sandboxOptions(command).addHelpText('after', exitCodeHelp('done'))
}

function takingOff(name: string, description: string, message: string): Command {
  return change(name, description).action(
    async (contract: string, signature: string | undefined, _, command: Command) =>
      takeOff(command, { contract, signature, message }),
  )
}

async function readEntry(
  command: Command,
  { contract, signature }: { contract: string; signature: string | undefined },
) {
  const programId = checkNonZeroAddress(contract, 'contract')
  const { selector, signature: name } = signature === undefined ? {} : parseFunction(signature, 'function')
  const merchant = await findMerchant(command)
  const { blockchain } = await chainOf(merchant, command.opts().chain)
  return { merchant, body: { blockchain, programId, ...(selector !== undefined && { selector }) }, name }
}

const decided = z.object({ hash: z.optional(bytes32) })

/** Rejects or removes an entry. Fails if the entry does not exist, so that a mistyped function is noticed. */
async function takeOff(
  command: Command,
  { contract, signature, message }: { contract: string; signature: string | undefined; message: string },
): Promise<void> {
  const { merchant, body, name } = await readEntry(command, { contract, signature })
  const others = (await entriesOf(merchant)).filter(
    (one) => one.blockchain === body.blockchain && sameHex(one.programId, body.programId),
  )
  if (!others.some((one) => one.selector === body.selector)) throw entryNotFound(body, { others, name })
  const { hash } = await callSandbox(merchant, {
    path: '/sandbox/program',
    answer: decided,
    body: { ...body, approved: false },
  })
  say(command.opts(), { ...body, status: 'rejected', hash }, { message, name })
  const left = others.filter((one) => one.status === 'approved' && one.selector !== body.selector)
  if (left.length > 0)
    printWarning(`${body.programId} is still approved for ${left.map(functionOf).join(', ')}.`)
}

function entryNotFound(
  { programId, blockchain, selector }: { programId: string; blockchain: string; selector?: Hex },
  { others, name }: { others: readonly Entry[]; name: string | undefined },
): EntryNotFoundError {
  const what = name === undefined ? functionOf({ selector }) : `${name}, ${selector}`
  return new EntryNotFoundError(`${programId} on ${blockchain} has no entry for ${what}.`, {
    field: 'function',
    fix:
      others.length === 0
        ? 'Run npx redeemkit whitelist list to see all entries.'
        : `Its entries are ${others.map((one) => `${functionOf(one)} (${one.status})`).join(', ')}.`,
  })
}

class EntryNotFoundError extends BaseError {
  override readonly name = 'EntryNotFoundError'
}

const functionOf = ({ selector }: { selector?: string | undefined }) => selector ?? 'every function'

function say(
  { json }: { json?: boolean },
  entry: Entry & { hash?: Hex | undefined },
  { message, name }: { message: string; name: string | undefined },
): void {
  const { blockchain, programId } = entry
  const what = `${functionOf(entry)}${name === undefined ? '' : ` ${name}`}`
  console.log(json ? JSON.stringify(entry) : oneLine(`${message}: ${programId} on ${blockchain}, ${what}`))
}

function signaturesIn(abis: readonly Abi[]): ReadonlyMap<string, string> {
  const functions = abis.flat().filter((item) => item.type === 'function')
  return new Map(functions.map((item) => [toFunctionSelector(item), toFunctionSignature(item)]))
}

function signatureOf({ selector, signature }: Entry, names: ReadonlyMap<string, string>): string | undefined {
  return selector === undefined ? undefined : (names.get(selector) ?? signature)
}

function listText(programs: readonly Entry[]): string {
  if (programs.length === 0)
    return 'The whitelist is empty. Request an entry: npx redeemkit whitelist request <contract> [function]'
  return programs
    .map(({ blockchain, programId, selector, signature = '', status }) =>
      oneLine(
        `${status.padEnd(9)} ${blockchain.padEnd(9)} ${programId}  ${functionOf({ selector })} ${signature}`,
      ).trimEnd(),
    )
    .join('\n')
}
