import { type Abi, encodePacked, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { checkOptions, type OptionKinds } from '../../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { hexToBytes } from '../../../redeemkit/evm/bytes/hexToBytes.ts'
import { toOrderKey } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { settlementHash } from '../../../redeemkit/evm/creditPermit/settlementHash.ts'
import { signCreditPermit } from '../../../redeemkit/evm/creditPermit/signCreditPermit.ts'
import type { EvmSigner } from '../../../redeemkit/evm/signer/evmSigner.ts'
import { settlementOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { signUsdcAuthorization } from '../../../redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import { readTip } from '../../chains/anvil/state/readTip.ts'
import { waitForReceipt } from '../../chains/waitForReceipt.ts'
import { keyedLock } from '../../process/keyedLock.ts'
import type { Person } from '../../runningSandbox.ts'
import {
  assumedRequest,
  type RedeemRequest,
  redeemCall,
  redeemRequest,
  usdcMethods,
} from '../../simulation/redeemRequest.ts'
import { reportTransaction } from '../../simulation/reportTransaction.ts'
import { simulateRequest } from '../../simulation/simulateRequest.ts'
import type { Fork, RedeemToSend, RedeemToSimulate } from './fork.ts'
import type { ForkClient } from './forkClient.ts'

/** Redeems on a chain, tried and for real, each with its report. */
export function forkRedeems(
  client: ForkClient,
  chain: forkRedeems.Chain,
): Pick<Fork, 'simulateRedeem' | 'redeem'> {
  const { creditsContract, operator } = chain
  const oneAtATime = keyedLock()
  return {
    simulateRedeem: async (redeem) => {
      checkRedeem(redeem)
      const { customer = chain.alice, abis, rules = 'all' } = redeem
      const { nextTime } = await readTip(client)
      const request = await forkRequest(chain, {
        ...redeem,
        wallet: customer.address,
        signer: customer.account,
        salt: await comingSalt(client, operator.address),
        time: nextTime,
      })
      return simulateRequest(client, {
        creditsContract,
        relayer: operator.address,
        request,
        signatures: customer.account === undefined ? 'assumed' : 'real',
        abis: readAbis(abis),
        rules,
      })
    },
    redeem: async (redeem) => {
      checkRedeem(redeem)
      // The nonces of the operator's account are counted by the chain.
      const hash = await oneAtATime('operator', () => sendRedeem(client, chain, redeem))
      return reportTransaction(client, { hash, creditsContract, abis: readAbis(redeem.abis) })
    },
  }
}

export declare namespace forkRedeems {
  type Chain = {
    chainId: number
    creditsContract: Hex
    creditSeed: string
    operator: PrivateKeyAccount
    alice: Person
  }
  type ErrorType =
    | checkOptions.ErrorType
    | simulateRequest.ErrorType
    | reportTransaction.ErrorType
    | forkRequest.ErrorType
}

/** Sends it, and returns when it is mined, whatever came of it. */
async function sendRedeem(client: ForkClient, chain: forkRedeems.Chain, redeem: RedeemToSend): Promise<Hex> {
  const { customer = chain.alice } = redeem
  // A test may have moved the clock and mined nothing since.
  const [{ nextTime }, { baseFeePerGas }] = await Promise.all([readTip(client), client.getBlock()])
  const request = await forkRequest(chain, {
    ...redeem,
    wallet: customer.address,
    signer: customer.account,
    salt: await comingSalt(client, chain.operator.address),
    time: nextTime,
  })
  const hash = await client.sendTransaction({
    account: chain.operator,
    ...redeemCall(chain, request),
    // Given by hand: a redeem that reverts is to be mined, too.
    gas: gasLimit,
    maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + 1n,
    maxPriorityFeePerGas: 1n,
  })
  // Also where a test has switched automatic mining off.
  if (!(await client.getAutomine())) await client.mine({ blocks: 1 })
  await waitForReceipt(client, hash)
  return hash
}

/** An ABI that was read from a file has no types; what is no item of one is passed over. */
function readAbis(abis: RedeemToSimulate['abis']): readonly Abi[] | undefined {
  return abis as readonly Abi[] | undefined
}

/** What one transaction may use on Ethereum (EIP-7825). */
const gasLimit = 16_777_216n

const redeemKinds: OptionKinds<RedeemToSimulate> = {
  transactionData: 'object',
  amount: 'any',
  usdcAmount: 'any',
  customer: 'object?',
  abis: 'list?',
  rules: 'string?',
}

function checkRedeem(redeem: RedeemToSimulate): void {
  checkOptions(redeem, redeemKinds)
  for (const name of ['amount', 'usdcAmount'] as const)
    if (typeof redeem[name] !== 'bigint' && !(name === 'usdcAmount' && redeem[name] === undefined))
      throw new InvalidOptionError(`${name} is no bigint.`, {
        field: name,
        fix: 'Give raw units: 10 dollars are 10_000_000n.',
      })
}

/**
 * A redeem as the credits contract takes it, without a gas fee: signed, or, without a signer, as a wallet takes it that is played by code
 * that agrees to everything.
 */
export async function forkRequest(
  chain: { chainId: number; creditsContract: Hex; creditSeed: string; bridgeAdapter?: Hex | undefined },
  options: forkRequest.Options,
): Promise<RedeemRequest> {
  const { chainId, creditsContract, creditSeed, bridgeAdapter } = chain
  const { signer, wallet, transactionData, amount, usdcAmount = 0n, salt, time } = options
  const intent = { settlement: settlementOf(transactionData), amount, usdcAmount }
  const nonce = redeemIntentNonce({
    // Each salt is an order of its own.
    orderKey: toOrderKey(hexToBytes(salt)),
    customerWallet: wallet,
    settlementHash: settlementHash(transactionData, { bridgeAdapter }),
    amount,
    usdcAmount,
    salt,
  })
  // The chain's clock, which a test may have moved.
  const now = () => Number(time) * 1000
  const validBefore = time + validForSeconds
  const permit = { customerWallet: wallet, creditSeed, amount: amount - usdcAmount, validBefore, nonce }
  if (signer === undefined) {
    const signature = '0x'
    return assumedRequest(redeemRequest({ permit, signature, salt, intent, gasFee: 0n }))
  }
  const signature = await signCreditPermit(signer, {
    domain: { name: 'Credits', version: '1', chainId, verifyingContract: creditsContract },
    permit,
    now,
  })
  if (usdcAmount === 0n) return redeemRequest({ permit, signature, salt, intent, gasFee: 0n })
  const authorization = {
    from: wallet,
    to: creditsContract,
    value: usdcAmount,
    validAfter: 0n,
    validBefore,
    nonce,
  }
  const type = 'ReceiveWithAuthorization'
  const usdcAuthorization = {
    method: usdcMethods.receiveV2,
    signature: await signUsdcAuthorization(signer, { chainId, type, authorization, now }),
  }
  return redeemRequest({ permit, signature, salt, intent, usdcAuthorization, gasFee: 0n })
}

export declare namespace forkRequest {
  type Options = {
    signer: EvmSigner | undefined
    wallet: Hex
    transactionData: TransactionData
    amount: bigint
    usdcAmount?: bigint | undefined
    salt: Hex
    /** Unix seconds, by the chain's clock. */
    time: bigint
  }
  type ErrorType =
    | signCreditPermit.ErrorType
    | signUsdcAuthorization.ErrorType
    | redeemIntentNonce.ErrorType
    | settlementOf.ErrorType
}

const validForSeconds = 600n

/**
 * The salt of the next redeem on a chain: another one for each, and the same at the next run, whatever else is done to the chain. What
 * a redeem asks of a recorded fork hangs on its salt, because USDC writes down which nonces were used.
 *
 * @param operator sends a transaction for each redeem, and none besides
 */
export async function comingSalt(client: ForkClient, operator: Hex): Promise<Hex> {
  const redeems = await client.getTransactionCount({ address: operator })
  return keccak256(encodePacked(['string', 'uint256'], ['redeemkit fork', BigInt(redeems)]))
}
