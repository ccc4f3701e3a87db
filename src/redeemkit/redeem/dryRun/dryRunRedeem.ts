import type { Address, Hex } from 'viem'
import { showValue } from '../../core/errors/showValue.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import type { EvmClient } from '../../evm/client.ts'
import { askNode, ChainReadError, callContract, isOutOfGas, isRevert } from '../../evm/client.ts'
import { readOrderState } from '../../evm/creditPermit/orderState.ts'
import { decodeRevert } from '../../evm/revert/decodeRevert.ts'
import { revertDataOf } from '../../evm/revert/revertDataOf.ts'
import { type Settlement, settlementKinds, settlementOf } from '../../evm/transactionData/settlementOf.ts'
import { usdcToken } from '../../evm/usdcToken.ts'
import { decodeFunctionResult, encodeFunctionData } from '../../evm/viem.ts'
import { isHex } from '../chain/decodeRedeemed.ts'
import { checkClientChain } from '../chain/lookUpRedeem.ts'
import { readFunds } from '../chain/readFunds.ts'
import type { CheckedRedeem } from '../check/checkAnswer.ts'
import { usd } from '../check/summarise.ts'
import { creditsAbi } from './creditsAbi.ts'
import { findingOfRevert } from './findingOfRevert.ts'
import { findingOfWhitelist } from './findingOfWhitelist.ts'
import { notTried } from './notTried.ts'

/**
 * Tries a redeem on the caller's own node, without a signature and without sending it.
 *
 * Runs `redeem` by `eth_call` from a stranger who charges no gas fee, with code in the wallet's place that agrees to every signature:
 * a bound permit may be relayed by anybody. Too little money and an order that is used are findings of their own.
 *
 * @param options.transactionData the very object of the request: the errors of the ABI that its builder was given are known
 * @returns what speaks against the redeem, the gravest first; a warning when it could not be tried
 * @throws ChainReadError when the node does not answer, WrongNetworkError when it is of another chain
 */
export async function dryRunRedeem(
  client: EvmClient,
  checked: CheckedRedeem,
  options: { transactionData: object },
): Promise<readonly Finding[]> {
  const { prepared } = checked
  if (!prepared.bound)
    return [notTried('its permit says nothing of what it pays for, so that only the service can execute it')]
  const { chainId, wallet, pinned, answer, request, orderKey } = prepared
  const { creditsContract, creditSeed } = pinned
  const settlement = settlementOf(request.transactionData)
  await checkClientChain(client, chainId, field)
  const usdc = checked.usdc && usdcToken({ chainId }).address
  const [order, funds, forbidden, attempt] = await Promise.all([
    readOrderState(client, { creditsContract, wallet, orderKey }, { field }),
    readFunds(client, { creditsContract, creditSeed, wallet, usdc, field }),
    whitelistFinding(client, checked, settlement),
    tryRedeem(client, checked, settlement),
  ])
  const findings: Finding[] = []
  if (order.state !== 'unused')
    findings.push(
      finding('danger', 'NONCE_USED', `The order of nonce ${answer.nonce} was ${order.state} already.`, {
        field: 'nonce',
        fix: 'Look it up with findRedeem. To buy the same again, use another purchaseId.',
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
          `${wallet} has ${usd(have)} USD in ${asset}, and ${usd(BigInt(need))} is needed.`,
          { field: asset === 'USDC' ? 'usdcAmount' : 'subtotal', fix: `Get more ${asset} first.` },
        ),
      )
  if (forbidden !== undefined) findings.push(forbidden)
  if (attempt === undefined) return findings
  if ('reason' in attempt) return [...findings, notTried(attempt.reason)]
  const said = findingOfRevert(attempt.left, { ...options, settlement })
  // The contract names the first thing that is in the way, which may be told already.
  const isTold = findings.some(({ code }) => code === said.code || !mayBeAFee(code))
  return isTold ? findings : [...findings, said]
}

export declare namespace dryRunRedeem {
  type ErrorType =
    | checkClientChain.ErrorType
    | readFunds.ErrorType
    | settlementOf.ErrorType
    | usdcToken.ErrorType
    | ChainReadError
}

/** Of this much nothing need be in the way of the attempt, which charges no fee. */
const mayBeAFee = (code: Finding['code']) => code === 'INSUFFICIENT_CREDITS'

const field = 'dryRun'

/** What the contract says of the whitelist; `undefined` when the call is on it, or needs no entry. */
async function whitelistFinding(
  client: EvmClient,
  { prepared }: CheckedRedeem,
  settlement: Settlement,
): Promise<Finding | undefined> {
  const { kind, target, data, bridge } = settlement
  if (kind === settlementKinds.token) return undefined
  const { creditsContract, creditSeed } = prepared.pinned
  const chainId = kind === settlementKinds.decent ? bridge.dstChainId : BigInt(prepared.chainId)
  const selector = data.slice(0, 10).padEnd(10, '0') as Hex // the beginning of 0x-hex
  const functionName = 'whitelisted'
  const call = { abi: creditsAbi, functionName, args: [creditSeed, chainId, target, selector] } as const
  const left = await callContract(client, { to: creditsContract, data: encodeFunctionData(call) }, { field })
  if (left?.length !== 2 + 2 * 64)
    throw new ChainReadError(`${creditsContract} keeps no whitelist on this chain.`, {
      field: 'creditsContract',
      fix: 'Check the pinned credits contract, and that the client of the dry run is on its chain.',
    })
  const [allowed] = decodeFunctionResult({ abi: creditsAbi, functionName, data: left })
  return allowed
    ? undefined
    : findingOfWhitelist(client, { creditsContract, creditSeed, chainId, target, selector })
}

/** The bytes that the redeem leaves when it is run; `undefined` when it goes through; why, when it cannot be run. */
async function tryRedeem(
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
  if (attempt === undefined)
    return { reason: 'the node did not run a call with code in the place of the wallet' }
  const { answer, error } = attempt
  if (answer === '0x') return undefined
  if (error === undefined)
    // Some nodes tell what a revert left as if it were the answer; `redeem` answers nothing.
    return isHex(answer) && decodeRevert({ data: answer }).name !== undefined
      ? { left: answer }
      : { reason: `the node answered it with ${showValue(answer)}` }
  const left = revertDataOf(error) ?? '0x'
  if (left !== '0x') return { left }
  if (isOutOfGas(error)) return { reason: 'it ran out of the gas that the node gives to a call' }
  // The contract always says why. Where the node keeps that to itself, it may have refused the signature only.
  const probe = await runWithCode(client, { to: wallet, data: isValidSignature, gas: mostGas }, wallet)
  return probe?.answer === agreement
    ? { left: '0x' }
    : { reason: 'the node ran it without code in the place of the wallet' }
}

/** What came of a call with code in the wallet's place: its answer, or the error of the call itself. */
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
      [call, 'latest', { [wallet]: { code: agreeableCode } }],
      {
        field,
        isAnswer: (error) => {
          // `0x` stands beside errors of other kinds, too.
          if (!isRevert(error) && (revertDataOf(error) ?? '0x') === '0x') return false
          failure = { error }
          return true
        },
      },
    )
    return failure ?? { answer }
  } catch {
    // It answers other questions: `eth_call` with code in another's place is one that not every node knows.
    return undefined
  }
}

/** `redeem` as a stranger sends it: without a gas fee. */
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

/** The wallet's code agrees to it; one byte, so that nobody takes it for a key's. */
const anySignature: Hex = '0x01'

/** Answers every call with its selector: what ERC-1271 and the receivers of ERC-721 and ERC-1155 say when they agree. */
const agreeableCode: Hex = '0x60003560e01c60e01b60005260206000f3'

/** `isValidSignature(bytes32,bytes)` of ERC-1271, and what the code in the wallet's place answers to it. */
const isValidSignature: Hex = '0x1626ba7e'
const agreement: Hex = `${isValidSignature}${'0'.repeat(56)}`

/** The most gas that one transaction may have (EIP-7825): 2 to the power of 24. Nodes of their own accord give more or less. */
const mostGas: Hex = '0x1000000'

/** An address whose key nobody has. */
const stranger = '0x000000000000000000000000000000000000dEaD'
