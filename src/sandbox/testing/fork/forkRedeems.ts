import { type Abi, encodePacked, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { checkOptions, type OptionKinds } from '../../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { mostTransactionGas } from '../../../redeemkit/core/limits.ts'
import { creditsDomain } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import { toOrderKey } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { redeemIntentNonce } from '../../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { settlementHash } from '../../../redeemkit/evm/creditPermit/settlementHash.ts'
import { signCreditPermit } from '../../../redeemkit/evm/creditPermit/signCreditPermit.ts'
import type { EvmSigner } from '../../../redeemkit/evm/signer/evmSigner.ts'
import { settlementOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import { signUsdcAuthorization } from '../../../redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import { hexToBytes } from '../../../redeemkit/evm/viem.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import { readTip } from '../../chains/anvil/chainTime.ts'
import { waitForReceipt } from '../../chains/waitForReceipt.ts'
import { keyedLock } from '../../process/keyedLock.ts'
import type { TestAccount } from '../../runningSandbox.ts'
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
        salt: await nextSalt(client, operator.address),
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
      // The operator's nonces are sequential.
      const hash = await oneAtATime('operator', () => sendRedeem(client, chain, redeem))
      const { abis, rules } = redeem
      return reportTransaction(client, { hash, creditsContract, abis: readAbis(abis), rules })
    },
  }
}

export declare namespace forkRedeems {
  type Chain = {
    chainId: number
    creditsContract: Hex
    creditSeed: string
    operator: PrivateKeyAccount
    alice: TestAccount
  }
}

async function sendRedeem(client: ForkClient, chain: forkRedeems.Chain, redeem: RedeemToSend): Promise<Hex> {
  const { customer = chain.alice } = redeem
  // A test may have moved the clock without mining.
  const [{ nextTime }, { baseFeePerGas }] = await Promise.all([readTip(client), client.getBlock()])
  const request = await forkRequest(chain, {
    ...redeem,
    wallet: customer.address,
    signer: customer.account,
    salt: await nextSalt(client, chain.operator.address),
    time: nextTime,
  })
  const hash = await client.sendTransaction({
    account: chain.operator,
    ...redeemCall(chain, request),
    // A fixed gas limit, so that reverting redeems are mined.
    gas: mostTransactionGas,
    maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + 1n,
    maxPriorityFeePerGas: 1n,
  })
  // A test may have disabled automatic mining.
  if (!(await client.getAutomine())) await client.mine({ blocks: 1 })
  await waitForReceipt(client, hash)
  return hash
}

/** An ABI from a file is untyped. Malformed items are skipped. */
function readAbis(abis: RedeemToSimulate['abis']): readonly Abi[] | undefined {
  return abis as readonly Abi[] | undefined
}

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
      throw new InvalidOptionError(`${name} is not a bigint.`, {
        field: name,
        fix: 'Pass raw units: 10 dollars is 10_000_000n.',
      })
}

/** Builds a redeem for the credits contract, without a gas fee. Without a signer it is unsigned: the wallet runs `agreeableCode`. */
async function forkRequest(
  chain: { chainId: number; creditsContract: Hex; creditSeed: string; bridgeAdapter?: Hex | undefined },
  options: forkRequest.Options,
): Promise<RedeemRequest> {
  const { chainId, creditsContract, creditSeed, bridgeAdapter } = chain
  const { signer, wallet, transactionData, amount, usdcAmount = 0n, salt, time } = options
  const intent = { settlement: settlementOf(transactionData), amount, usdcAmount }
  const nonce = redeemIntentNonce({
    // Each salt is a separate order.
    orderKey: toOrderKey(hexToBytes(salt)),
    customerWallet: wallet,
    settlementHash: settlementHash(transactionData, { bridgeAdapter }),
    amount,
    usdcAmount,
    salt,
  })
  // The clock of the chain, which a test may have moved.
  const now = () => Number(time) * 1000
  const validBefore = time + validForSeconds
  const permit = { customerWallet: wallet, creditSeed, amount: amount - usdcAmount, validBefore, nonce }
  if (signer === undefined) {
    const signature = '0x'
    return assumedRequest(redeemRequest({ permit, signature, salt, intent, gasFee: 0n }))
  }
  const signature = await signCreditPermit(signer, {
    domain: { ...creditsDomain, chainId, verifyingContract: creditsContract },
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

declare namespace forkRequest {
  type Options = {
    signer: EvmSigner | undefined
    wallet: Hex
    transactionData: TransactionData
    amount: bigint
    usdcAmount?: bigint | undefined
    salt: Hex
    /** Unix seconds of the chain's clock. */
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
 * Returns the salt of the next redeem on a chain: unique per redeem, and the same in the next run. A recorded fork
 * needs this, because USDC stores used nonces, so the requests of a redeem depend on its salt.
 *
 * @param operator sends one transaction per redeem and nothing else
 */
async function nextSalt(client: ForkClient, operator: Hex): Promise<Hex> {
  const redeems = await client.getTransactionCount({ address: operator })
  return keccak256(encodePacked(['string', 'uint256'], ['redeemkit fork', BigInt(redeems)]))
}
