import type { Address, Hex } from 'viem'
import { showValue } from '../../core/errors/showValue.ts'
import type { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { mostTransactionGas } from '../../core/limits.ts'
import {
  askNode,
  ChainReadError,
  callContract,
  type EvmClient,
  isOutOfGas,
  isRevert,
} from '../../evm/client.ts'
import { readOrderState } from '../../evm/creditPermit/orderState.ts'
import { decodeRevert, revertDataOf } from '../../evm/revert/decodeRevert.ts'
import { type Settlement, settlementOf, shapeOf } from '../../evm/transactionData/settlementOf.ts'
import { usdcToken } from '../../evm/usdcToken.ts'
import { type InvalidChainIdError, isHex } from '../../evm/values.ts'
import { decodeFunctionResult, encodeFunctionData } from '../../evm/viem.ts'
import type { CheckedRedeem } from '../check/checkAnswer.ts'
import { usd } from '../check/summarise.ts'
import type { InvalidRedeemRequestError } from '../errors.ts'
import { creditsAbi } from './creditsAbi.ts'
import { dryRunUnavailable, findingOfRevert, findingOfWhitelist } from './dryRunFindings.ts'
import { checkClientChain } from './lookUpRedeem.ts'
import { readFunds } from './readFunds.ts'

/**
 * Runs a redeem with `eth_call` on the caller's own node, without a signature. Returns the problems, most severe first.
 *
 * A state override gives the wallet code that approves every signature. The simulated relayer is unrelated and charges no gas fee. Missing
 * funds and a used order are reported as separate findings.
 */
export async function dryRunRedeem(
  client: EvmClient,
  checked: CheckedRedeem,
  options: { transactionData: object },
): Promise<readonly Finding[]> {
  const { prepared } = checked
  if (!prepared.intentBound)
    return [dryRunUnavailable('its permit has a random nonce, so only the service can execute it')]
  const { chainId, wallet, pinned, answer, request, orderKey } = prepared
  const { creditsContract, creditSeed } = pinned
  const settlement = settlementOf(request.transactionData)
  await checkClientChain(client, chainId, field)
  const usdc = checked.usdc && usdcToken({ chainId }).address
  const [order, funds, forbidden, attempt] = await Promise.all([
    readOrderState(client, { creditsContract, wallet, orderKey }, { field }),
    readFunds(client, { creditsContract, creditSeed, wallet, usdc, field }),
    whitelistFinding(client, checked, settlement),
    callRedeem(client, checked, settlement),
  ])
  const findings: Finding[] = []
  if (order.state !== 'unused')
    findings.push(
      finding('danger', 'NONCE_USED', `The order for nonce ${answer.nonce} is already ${order.state}.`, {
        field: 'nonce',
        fix: 'Look up the order with findRedeem. To buy it again, use another purchaseId.',
      }),
    )
  for (const [asset, code, have = 0n, need] of [
    ['credits', 'INSUFFICIENT_CREDITS', funds.credits, answer.creditsRawAmount],
    ['USDC', 'INSUFFICIENT_USDC', funds.usdc, prepared.usdcAmount],
  ] as const)
    if (have < BigInt(need))
      findings.push(
        finding(
          'danger',
          code,
          `${wallet} has ${usd(have)} USD in ${asset}, but ${usd(BigInt(need))} is needed.`,
          { field: asset === 'USDC' ? 'usdcAmount' : 'subtotal', fix: `Get more ${asset} first.` },
        ),
      )
  if (forbidden !== undefined) findings.push(forbidden)
  if (attempt === undefined) return findings
  if ('reason' in attempt) return [...findings, dryRunUnavailable(attempt.reason)]
  const said = findingOfRevert(attempt.left, { ...options, settlement })
  // The contract reverts with its first problem, which may already be a finding.
  const isReported = findings.some(({ code }) => code === said.code || !mayBeAFee(code))
  return isReported ? findings : [...findings, said]
}

export declare namespace dryRunRedeem {
  type ErrorType =
    | askNode.ErrorType
    | InvalidRedeemRequestError
    | InvalidChainIdError
    | WrongNetworkError
    | readFunds.ErrorType
    | settlementOf.ErrorType
    | usdcToken.ErrorType
    | ChainReadError
}

/** Whether a finding may be about the gas fee alone. The dry run charges no fee, so it does not revert for that reason. */
const mayBeAFee = (code: Finding['code']) => code === 'INSUFFICIENT_CREDITS'

const field = 'dryRun'

async function whitelistFinding(
  client: EvmClient,
  { prepared }: CheckedRedeem,
  settlement: Settlement,
): Promise<Finding | undefined> {
  const { target, data, bridge } = settlement
  const { does } = shapeOf(settlement)
  if (does === 'transfer') return undefined
  const { creditsContract, creditSeed } = prepared.pinned
  const chainId = does === 'bridge' ? bridge.dstChainId : BigInt(prepared.chainId)
  const selector = data.slice(0, 10).padEnd(10, '0') as Hex // the beginning of 0x-hex
  const functionName = 'whitelisted'
  const call = { abi: creditsAbi, functionName, args: [creditSeed, chainId, target, selector] } as const
  const left = await callContract(client, { to: creditsContract, data: encodeFunctionData(call) }, { field })
  if (left?.length !== 2 + 2 * 64)
    throw new ChainReadError(`${creditsContract} has no whitelist on this chain.`, {
      field: 'creditsContract',
      fix: 'Check the pinned credits contract, and that the dry run’s client is on the same chain.',
    })
  const [allowed] = decodeFunctionResult({ abi: creditsAbi, functionName, data: left })
  return allowed
    ? undefined
    : findingOfWhitelist(client, { creditsContract, creditSeed, chainId, target, selector })
}

/** Returns the revert data, the reason why the redeem could not be run, or `undefined` if it succeeds. */
async function callRedeem(
  client: EvmClient,
  checked: CheckedRedeem,
  settlement: Settlement,
): Promise<{ left: Hex } | { reason: string } | undefined> {
  const { wallet, pinned } = checked.prepared
  const call = {
    from: stranger,
    to: pinned.creditsContract,
    data: redeemData(checked, settlement),
    gas: mostGas,
  }
  const attempt = await runWithCode(client, call, wallet)
  if (attempt === undefined) return { reason: 'the node does not support state overrides in eth_call' }
  const { answer, error } = attempt
  if (answer === '0x') return undefined
  if (error === undefined)
    // `redeem` returns nothing, so any result is revert data, which some nodes return as the result.
    return isHex(answer) && decodeRevert({ data: answer }).name !== undefined
      ? { left: answer }
      : { reason: `the node returned ${showValue(answer)}` }
  const left = revertDataOf(error) ?? '0x'
  if (left !== '0x') return { left }
  if (isOutOfGas(error)) return { reason: 'it ran out of the gas that the node allows for a call' }
  // The contract always returns a reason; a node that returns none may have ignored the state override.
  const probe = await runWithCode(client, { to: wallet, data: isValidSignature, gas: mostGas }, wallet)
  return probe?.answer === agreement
    ? { left: '0x' }
    : { reason: 'the node ignored the state override for the wallet' }
}

/** Returns `undefined` if the node does not support the state override. */
async function runWithCode(
  client: EvmClient,
  call: object,
  wallet: Address,
): Promise<{ answer?: unknown; error?: unknown } | undefined> {
  let failure: { error: unknown } | undefined
  try {
    const answer = await askNode(
      client,
      'eth_call',
      [call, 'latest', { [wallet]: { code: approvingCode } }],
      {
        field,
        isAnswer: (error) => {
          // Other errors may also contain `0x`.
          if (!isRevert(error) && (revertDataOf(error) ?? '0x') === '0x') return false
          failure = { error }
          return true
        },
      },
    )
    return failure ?? { answer }
  } catch {
    // Not every node supports state overrides of `eth_call`.
    return undefined
  }
}

/** Encodes `redeem` as an unrelated relayer sends it, without a gas fee. */
function redeemData({ prepared, permit, usdc }: CheckedRedeem, settlement: Settlement): Hex {
  const method = usdc === undefined ? 0 : usdcMethods[usdc.type]
  const intent = {
    amount: BigInt(prepared.amount),
    usdcAmount: BigInt(prepared.usdcAmount),
    salt: prepared.salt,
  }
  return encodeFunctionData({
    abi: creditsAbi,
    functionName: 'redeem',
    args: [
      {
        permit: { ...permit, signature: anySignature },
        intent,
        settlement,
        usdcAuthorization: { method, signature: usdc === undefined ? '0x' : anySignature },
        gasFee: 0n,
      },
    ],
  })
}

/** `ICredits.UsdcMethod`, with the signature as bytes. */
const usdcMethods = { TransferWithAuthorization: 2, ReceiveWithAuthorization: 4 } as const

/** The overriding code approves this signature. One byte cannot pass as a key's signature. */
const anySignature: Hex = '0x01'

/** Bytecode that returns the called selector, which is the approval of ERC-1271 and of ERC-721 and ERC-1155 receivers. */
const approvingCode: Hex = '0x60003560e01c60e01b60005260206000f3'

/** ERC-1271's `isValidSignature(bytes32,bytes)`. */
const isValidSignature: Hex = '0x1626ba7e'
const agreement: Hex = `${isValidSignature}${'0'.repeat(56)}`

/** Set explicitly, because nodes have different defaults. */
const mostGas: Hex = `0x${mostTransactionGas.toString(16)}`

/** Simulated relayer, whose key is unknown. */
const stranger = '0x000000000000000000000000000000000000dEaD'
