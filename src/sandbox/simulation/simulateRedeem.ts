import { bytesToHex, type Hex } from 'viem'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import type { EvmClient } from '../../redeemkit/evm/client/evmClient.ts'
import { toOrderKey } from '../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { hashSettlement } from '../../redeemkit/evm/creditPermit/settlementHash.ts'
import { signCreditPermit } from '../../redeemkit/evm/creditPermit/signCreditPermit.ts'
import type { EvmSigner } from '../../redeemkit/evm/signer/evmSigner.ts'
import { settlementOf } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import { signUsdcAuthorization } from '../../redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import type { TransactionData } from '../../redeemkit/schema/transactionData.ts'
import type { RedeemReport } from './redeemReport.ts'
import { assumedRequest, type RedeemRequest, redeemRequest, usdcMethods } from './redeemRequest.ts'
import { adapterFor, creditsFacts, newestBlock } from './report/readChain.ts'
import { reportPlan, type simulateRequest } from './simulateRequest.ts'

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
  const { creditsContract, relayer, abis = [], feeOf, rules = 'economic', signer } = options
  const { kind } = settlementOf(options.transactionData)
  const [facts, block, bridgeAdapter] = await Promise.all([
    creditsFacts(client, creditsContract),
    newestBlock(client),
    adapterFor(client, { creditsContract, kind }),
  ])
  const unsigned = putTogether(options, bridgeAdapter)
  const request =
    signer === undefined
      ? assumedRequest(unsigned)
      : await signRequest(signer, { request: unsigned, creditsContract, ...facts, ...block })
  const signatures = signer === undefined ? 'assumed' : 'real'
  const terms = { creditsContract, relayer, request, signatures, bridgeAdapter } as const
  const plan = { client, ...terms, ...facts, ...block } as const
  return reportPlan(plan, { abis, feeOf, rules })
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

/** Without signatures, and without an end. */
function putTogether(options: simulateRedeem.Options, bridgeAdapter: Hex | undefined): RedeemRequest {
  const { creditSeed, wallet, amount, usdcAmount = 0n } = options
  const settlement = settlementOf(options.transactionData)
  const random = crypto.getRandomValues(new Uint8Array(32))
  const salt = bytesToHex(random)
  const nonce = redeemIntentNonce({
    orderKey: toOrderKey(random),
    customerWallet: wallet,
    settlementHash: hashSettlement(settlement, { bridgeAdapter }),
    amount,
    usdcAmount,
    salt,
  })
  return redeemRequest({
    permit: { customerWallet: wallet, creditSeed, amount, validBefore: 0n, nonce },
    signature: '0x',
    salt,
    intent: { settlement, amount, usdcAmount },
    gasFee: 0n,
  })
}

/** Half an hour: a permit has at most an hour. */
const lifeSeconds = 1_800n

/** Has the wallet sign the permit, and the USDC authorization where one is needed. */
async function signRequest(
  signer: EvmSigner,
  options: { request: RedeemRequest; creditsContract: Hex; chainId: number; timestamp: bigint },
): Promise<RedeemRequest> {
  const { request, creditsContract, chainId, timestamp } = options
  const { signature: _, ...unsigned } = request.permit
  const permit = { ...unsigned, validBefore: timestamp + lifeSeconds }
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
