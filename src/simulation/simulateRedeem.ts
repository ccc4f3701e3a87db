import { bytesToHex, type Hex } from 'viem'
import { checkOptions } from '../core/checkOptions.ts'
import type { EvmClient } from '../evm/client/evmClient.ts'
import { redeemIntentNonce } from '../evm/creditPermit/redeemIntentNonce.ts'
import { hashSettlement } from '../evm/creditPermit/settlementHash.ts'
import { signCreditPermit } from '../evm/creditPermit/signCreditPermit.ts'
import type { EvmSigner } from '../evm/signer/evmSigner.ts'
import { settlementOf } from '../evm/transactionData/settlementOf.ts'
import { signUsdcAuthorization } from '../evm/usdcAuthorization/signUsdcAuthorization.ts'
import type { TransactionData } from '../schema/transactionData.ts'
import { type RedeemRequest, redeemRequest, usdcMethods } from './call/redeemRequest.ts'
import type { RedeemReport } from './redeemReport.ts'
import { creditsFacts, newestBlock } from './report/readChain.ts'
import { assumedRequest } from './run/assumedRequest.ts'
import { simulateRequest } from './simulateRequest.ts'

/**
 * Runs a redeem without sending it, and reports: whether it is on the whitelist, whether it goes through and if not where and why,
 * which USDC and tokens move, what stays behind, what it costs, and which rules of merchant contracts it breaks.
 *
 * Nobody has to sign: the wallet is played by a contract that agrees to everything, unless a `signer` is given.
 *
 * @param client a node of the chain with `debug_traceCall`, such as that of the sandbox; a viem client is one
 * @param options.amount the subtotal in raw units of USDC; 1 USD is `1_000_000n`
 * @throws InvalidOptionError; UnsupportedCreditsContractError; TracingUnavailableError when the node has no
 * `debug_traceCall`; ChainReadError; what `settlementOf` says of `transactionData`, and the wallet when it is asked to sign
 * @see PROTOCOL.md 6
 */
export async function simulateRedeem(
  client: EvmClient,
  options: simulateRedeem.Options,
): Promise<RedeemReport> {
  checkOptions(options, {
    creditsContract: 'string',
    creditSeed: 'string',
    relayer: 'string',
    wallet: 'string',
    amount: 'any',
    usdcAmount: 'any',
    transactionData: 'object',
    abis: 'list?',
    signer: 'object?',
    feeOf: 'function?',
    rules: 'string?',
  })
  const { creditsContract, relayer, abis, feeOf, rules, signer } = options
  const { request, validity } = await putTogether(client, options)
  const signatures = signer === undefined ? 'assumed' : 'real'
  return simulateRequest(client, {
    creditsContract,
    relayer,
    request:
      signer === undefined
        ? assumedRequest(request)
        : await signed(signer, { request, validity, creditsContract }),
    signatures,
    abis,
    feeOf,
    rules,
  })
}

export declare namespace simulateRedeem {
  type Options = Omit<simulateRequest.Options, 'request' | 'signatures'> & {
    creditSeed: string
    /** The customer. */
    wallet: Hex
    /** Raw units of USDC. */
    amount: bigint
    /** The part of the amount that the customer pays in USDC. Default 0. */
    usdcAmount?: bigint | undefined
    transactionData: TransactionData
    /** Signs permit and USDC authorization. Default: the wallet is played. */
    signer?: EvmSigner | undefined
  }
  type ErrorType =
    | simulateRequest.ErrorType
    | settlementOf.ErrorType
    | redeemIntentNonce.ErrorType
    | signCreditPermit.ErrorType
    | signUsdcAuthorization.ErrorType
}

type Validity = { chainId: number; timestamp: bigint }

async function putTogether(
  client: EvmClient,
  options: simulateRedeem.Options,
): Promise<{ request: RedeemRequest; validity: Validity }> {
  const { creditsContract, creditSeed, wallet, amount, usdcAmount = 0n } = options
  const settlement = settlementOf(options.transactionData)
  const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
  const nonce = redeemIntentNonce({
    customerWallet: wallet,
    settlementHash: hashSettlement(settlement),
    amount,
    usdcAmount,
    salt,
  })
  const [{ chainId }, { timestamp }] = await Promise.all([
    creditsFacts(client, creditsContract),
    newestBlock(client),
  ])
  const request = redeemRequest({
    permit: { customerWallet: wallet, creditSeed, amount, validBefore: timestamp + lifeSeconds, nonce },
    signature: '0x',
    salt,
    intent: { settlement, amount, usdcAmount },
    gasFee: 0n,
  })
  return { request, validity: { chainId, timestamp } }
}

/** Half an hour: a permit has at most an hour. */
const lifeSeconds = 1_800n

async function signed(
  signer: EvmSigner,
  options: { request: RedeemRequest; validity: Validity; creditsContract: Hex },
): Promise<RedeemRequest> {
  const { request, validity, creditsContract } = options
  const { chainId, timestamp } = validity
  const { signature: _, ...permit } = request.permit
  const now = () => Number(timestamp) * 1_000
  const domain = { name: 'Credits', version: '1', chainId, verifyingContract: creditsContract }
  const signature = await signCreditPermit(signer, { domain, permit, now })
  const { usdcAmount } = request.intent
  if (usdcAmount === 0n) return { ...request, permit: { ...permit, signature } }
  const authorization = {
    from: permit.customerWallet,
    to: creditsContract,
    value: usdcAmount,
    validAfter: 0n,
    validBefore: permit.validBefore,
    nonce: permit.nonce,
  }
  return {
    ...request,
    permit: { ...permit, signature },
    usdcAuthorization: {
      method: usdcMethods.receiveV2,
      signature: await signUsdcAuthorization(signer, {
        chainId,
        type: 'ReceiveWithAuthorization',
        authorization,
        now,
      }),
    },
  }
}
