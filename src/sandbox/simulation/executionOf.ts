import { getAddress, type Hex } from 'viem'
import { mostTransactionGas } from '../../redeemkit/core/limits.ts'
import type { EvmClient } from '../../redeemkit/evm/client.ts'
import { quote } from '../../redeemkit/evm/findingTexts.ts'
import { creditsErrorOf } from '../../redeemkit/evm/revert/creditsErrors.ts'
import { sameHex } from '../../redeemkit/evm/values.ts'
import type { AbisOf } from './abi/buildAbis.ts'
import { describeRevert } from './abi/describe.ts'
import { codeAt } from './readChain.ts'
import type { CallFrame, ReportedExecution } from './redeemReport.ts'
import { notForwardedFix, permitMaximumText } from './rules/ruleCatalogue.ts'
import type { Reruns } from './runPlan.ts'
import {
  addressIn,
  causeOf,
  type Failure,
  failureOf,
  noCoin,
  outOfGas,
  pathTo,
  reverted,
  wordsOf,
} from './trace/frames.ts'
import { tokenCallOf } from './trace/moves.ts'

export async function executionOf(
  root: CallFrame,
  options: {
    client: EvmClient
    blockNumber: bigint
    abisOf: AbisOf
    step: FailedStep
    usdc: Hex
    creditsContract: Hex
    lastCheck: Reruns['lastCheck']
  },
): Promise<ReportedExecution> {
  const failure = failureOf(root)
  if (failure === undefined) return { succeeded: true }
  const { frame, at } = failure
  const said = describeRevert(frame.output, options.abisOf(frame))
  const error = frame.output === '0x' ? undefined : said.name
  const empty = await calledWithoutCode(frame, options)
  const reason =
    empty !== undefined && frame.output === '0x'
      ? `it called ${empty}, which has no code`
      : await reasonOf(failure, { ...options, reason: said.reason })
  const otherToken = otherTokenIn(root, options) ?? empty
  return {
    succeeded: false,
    at,
    contract: frame.to ?? frame.from,
    error,
    reason,
    data: frame.output,
    fix:
      otherToken === undefined
        ? fixOf({
            frame,
            error,
            reason,
            args: said.args,
            step: options.step,
            caller: options.creditsContract,
          })
        : wrongAddress(otherToken, { hasCode: empty === undefined }),
  }
}

/** Does not name USDC's address, because the formatted report replaces it with its name. */
function wrongAddress(address: Hex, { hasCode }: { hasCode: boolean }): string {
  return hasCode
    ? `Take the payment in the USDC of this chain: ${address} is a different token.`
    : `Configure the contract with the addresses of this chain, including USDC: ${address} has no code.`
}

/** Returns the token if the call failed because the contract collects the payment in a token other than USDC. */
function otherTokenIn(
  root: CallFrame,
  { usdc, creditsContract, step }: { usdc: Hex; creditsContract: Hex; step: FailedStep },
): Hex | undefined {
  if (step !== 'call') return undefined
  // A library may have replaced the token's error.
  const { to } =
    pathTo(root, causeOf(root)?.at ?? []).find((frame) => {
      const [from] = tokenCallOf(frame)?.[0] === 'transferFrom' ? wordsOf(frame.input) : []
      return from !== undefined && sameHex(addressIn(from), creditsContract)
    }) ?? {}
  return to === undefined || sameHex(to, usdc) ? undefined : getAddress(to)
}

/** Returns the address without code to which the failed call made its last call; `undefined` if that address has code. */
async function calledWithoutCode(
  frame: CallFrame,
  { client, blockNumber, step }: { client: EvmClient; blockNumber: bigint; step: FailedStep },
): Promise<Hex | undefined> {
  const last = frame.calls.at(-1)
  if (step !== 'call' || frame.failure !== reverted || last?.to === undefined) return undefined
  if (last.failure !== undefined || last.output !== '0x' || last.input.length < 10) return undefined
  // Precompiles (EIP-1352) return data although they have no code.
  if (BigInt(last.to) < 0x10000n) return undefined
  const code = await codeAt(client, last.to, blockNumber)
  return code === '0x' ? getAddress(last.to) : undefined
}

async function reasonOf(
  { frame, at }: Failure,
  options: { client: EvmClient; blockNumber: bigint; reason: string; lastCheck: Reruns['lastCheck'] },
): Promise<string> {
  if (frame.failure !== reverted) return frame.failure ?? outOfGas
  if (frame.output !== '0x') return options.reason
  const selector = selectorOf(frame)
  const silent = 'it reverted without a reason'
  if (frame.to !== undefined && frame.calls.length === 0) {
    if (selector === undefined) return `${silent}: it was called without data`
    const code = await codeAt(options.client, frame.to, options.blockNumber)
    if (!hasSelector(code, selector)) return `it has no function ${selector}`
  }
  const check = await options.lastCheck(at.length)
  return check === undefined ? silent : `${silent}, ${check}`
}

const selectorOf = ({ input }: CallFrame): Hex | undefined =>
  input.length < 10 ? undefined : (input.slice(0, 10).toLowerCase() as Hex)

/** Compilers embed each selector in the code, without leading zeros. */
function hasSelector(code: Hex, selector: Hex): boolean {
  return code.toLowerCase().includes(selector.slice(2).replace(/^(?:00)+/, ''))
}

export function fixOf(failure: {
  frame: CallFrame
  error: string | undefined
  reason: string
  args: Readonly<Record<string, unknown>>
  step: FailedStep
  /** The address of the credits contract. */
  caller: Hex
}): string {
  const { frame, error, reason, args, step, caller } = failure
  const known = step === 'redeem' || sameHex(frame.to, caller) ? creditsErrorOf(error) : undefined
  if (known !== undefined) return known.fix
  if (step === 'delivery') return notForwardedFix
  if (reason === outOfGas)
    return `Check for an endless loop or too much work in one call: a redeem can use at most ${mostTransactionGas.toLocaleString('en-US')} gas.`
  if (reason === noCoin) return 'Do not forward native coin: a redeem pays in USDC only.'
  if (reason.startsWith('it has no function'))
    return 'Check the address and the function signature: a selector is derived from the name and types, without spaces and parameter names.'
  if (error === 'Panic') return panicFixes[String(args.code)] ?? panicFix
  const common = commonFixes.find(([errors]) => errors.test(reason))
  if (common !== undefined) return common[1]
  if (frame.failure !== reverted && frame.output === '0x')
    return 'Check the code for an assert of an old compiler, UNREACHABLE in Vyper, an invalid jump, or unbounded recursion.'
  if (step === 'call' && namesCaller(caller, { reason, args }))
    return `Check the receiver in the call data, not msg.sender: ${error === 'Error' ? 'the message' : (error ?? 'the failed check')} names the credits contract, which is msg.sender for every customer.`
  if (reason.startsWith('it reverted without a reason'))
    return 'Add a message or custom error to its require statements, and check that the arguments match the function.'
  // HTTP clients receive this text too and cannot pass an ABI, so it names a command.
  if (error === undefined)
    return `Look up the error in the build folder of the contract: npx redeemkit decode ${frame.output.slice(0, 10)} --abi out.`
  const text = error === 'Error' ? quote(reason) : error
  return `Check why the contract reverts with ${text}: it may reject these arguments, this caller, or the current time.`
}

function namesCaller(
  caller: Hex,
  { reason, args }: { reason: string; args: Readonly<Record<string, unknown>> },
): boolean {
  const named = [reason, ...Object.values(args).map(String)].join(' ').toLowerCase()
  return named.includes(caller.slice(2).toLowerCase())
}

/** `redeem`: a check of the credits contract. `call`: the merchant's call. `delivery`: the transfer of the tokens to the customer. */
export type FailedStep = 'redeem' | 'call' | 'delivery'

const commonFixes: readonly (readonly [errors: RegExp, fix: string])[] = [
  [
    /exceeds allowance|InsufficientAllowance/,
    'Take the payment from msg.sender, and at most the amount: usdc.transferFrom(msg.sender, address(this), price).',
  ],
  [
    /exceeds balance|insufficient balance|InsufficientBalance/,
    'Check the balance of the sending account: the item may be sold out, or the contract pays out before it takes the payment.',
  ],
  [
    /^(Ownable|AccessControl|AccessManaged)?Unauthorized(Account)?\b|caller is not the owner|^AccessControl: |UNAUTHORIZED|NOT_AUTHORIZED/,
    'Call a function that is open to every account: msg.sender is the credits contract, which is not the owner and has no role.',
  ],
  [/^EnforcedPause\b|Pausable: paused/, 'Unpause the contract, or redeem later.'],
  [
    /InvalidReceiver\b|non[- ]?ERC(721|1155)Receiver|UNSAFE_RECIPIENT/i,
    'Pass a receiver that accepts tokens: this one is the zero address, or a contract without the receiver hook.',
  ],
  [
    /^SafeERC20FailedOperation\b|^Transfer(From)?Failed\b|TRANSFER_(FROM_)?FAILED/,
    'Find the failed token transfer in the call tree.',
  ],
  [
    /EXPIRED|Transaction too old|^(Transaction)?DeadlinePassed\b|^(Allowance|Signature|Permit)Expired\b|ExpiredSignature\b/,
    `Set a deadline at least ${permitMaximumText} ahead: a redeem may be executed that long after the customer signed it.`,
  ],
  [/reentran/i, 'Do not call the contract again during the call.'],
]

const panicFix = 'Check the asserts and the compiler-checked operations of this function.'
const panicFixes: Readonly<Record<string, string>> = {
  '1': 'Check which assert fails.',
  '17': 'Check for an arithmetic underflow or overflow: often the stock or a balance is exhausted.',
  '18': 'Check for a division by zero.',
  '33': 'Pass a number that the enum has.',
  '49': 'Check for a pop of an empty array: often the stock is exhausted.',
  '50': 'Check for an array index out of bounds.',
  '65': 'Check for an array that is too large.',
}
