import { testActions } from 'viem'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { normalMerchantAbi, normalMerchantBytecode } from '../../../../contracts/generated/merchants.ts'
import type { createPaymentsClient, PaymentsClient } from '../../../redeemkit/api/createPaymentsClient.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { parseCreditPermitMessage } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import type { AccountSigner } from '../../../redeemkit/evm/signer/toSigner.ts'
import { normal, token } from '../../../redeemkit/evm/transactionData/builders.ts'
import { settlementOf } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { SignedRedeem } from '../../../redeemkit/redeem/preparedRedeem.ts'
import { prepareRedeem } from '../../../redeemkit/redeem/prepareRedeem.ts'
import { redeem } from '../../../redeemkit/redeem/redeem.ts'
import { signRedeem } from '../../../redeemkit/redeem/signRedeem.ts'
import { submitRedeem } from '../../../redeemkit/redeem/submitRedeem.ts'
import { waitForRedeem } from '../../../redeemkit/redeem/waitForRedeem.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import { waitForReceipt } from '../../chains/waitForReceipt.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { usdcMethods } from '../../simulation/redeemRequest.ts'
import { alterations, alteringFetch } from './alteredAnswer.ts'
import {
  check,
  clientOf,
  type DemoPart,
  printRefusals,
  type Refusal,
  recordingSigner,
  refusedBeforePrompt,
} from './demoPart.ts'
import type { DemoChain, DemoSandbox } from './demoSandbox.ts'

export const refusals: DemoPart = {
  title: 'Reject changed responses, unpinned contracts, cheating relayers, replays and expired permits',
  run: async (demo, progress) => {
    const rows: Refusal[] = []
    for (const alteration of alterations) {
      progress(`the service changes ${alteration.field}`)
      rows.push(await alteredAnswerRefused(demo, alteration))
    }
    const others = [unpinnedContract, changedCalldata, replay, expiredPermit, notWhitelisted]
    for (const refusal of others) {
      progress(refusal.name)
      rows.push(...(await refusal(demo)))
    }
    return () =>
      printRefusals(
        'Rejected attacks',
        rows,
        '"client" rejects before the wallet is prompted. "contract" is a mined, reverted transaction.',
      )
  },
}

function alicesClient(demo: DemoSandbox, fetch?: createPaymentsClient.Options['fetch']): PaymentsClient {
  return clientOf(demo, { blockchain: 'base', wallet: demo.sandbox.accounts.alice.address, fetch })
}

function request({ sandbox, home }: DemoSandbox) {
  return {
    chainId: home.chainId,
    pinned: home.pinned,
    subtotal: { cents: 1000 },
    transactionData: token({ destination: sandbox.accounts.bob.address }),
  }
}

/** Calls `run` with alice's signer. `run` must fail before the signer is prompted. */
function refusedUnsigned(
  { sandbox }: DemoSandbox,
  run: (signer: AccountSigner) => Promise<unknown>,
): Promise<string> {
  const { signer, prompts } = recordingSigner(sandbox.accounts.alice.account)
  return refusedBeforePrompt(prompts, () => run(signer))
}

async function alteredAnswerRefused(
  demo: DemoSandbox,
  alteration: (typeof alterations)[number],
): Promise<Refusal> {
  const client = alicesClient(demo, alteringFetch(alteration))
  const why = await refusedUnsigned(demo, (signer) =>
    redeem(client, { ...request(demo), usdcAmount: { cents: 400 }, signer }),
  )
  return [`service changes: ${alteration.field}`, 'client', why]
}

async function unpinnedContract(demo: DemoSandbox): Promise<Refusal[]> {
  const pinned = { ...demo.home.pinned, creditsContract: demo.far.bridgeAdapter }
  const why = await refusedUnsigned(demo, (signer) =>
    redeem(alicesClient(demo), { ...request(demo), pinned, signer }),
  )
  return [['a contract that is not pinned', 'client', why]]
}

async function signedRedeem(demo: DemoSandbox) {
  const client = alicesClient(demo)
  const prepared = await prepareRedeem(client, request(demo))
  const signed = await signRedeem(demo.sandbox.accounts.alice.account, { prepared, request: request(demo) })
  return { client, prepared, signed }
}

async function changedCalldata(demo: DemoSandbox): Promise<Refusal[]> {
  const { signed } = await signedRedeem(demo)
  const why = await relayRefused(
    demo.home,
    signed,
    token({ destination: demo.sandbox.accounts.carol.address }),
  )
  return [['relayer changes the destination', 'contract', why]]
}

async function replay(demo: DemoSandbox): Promise<Refusal[]> {
  const { client, signed } = await signedRedeem(demo)
  const first = await submitRedeem(client, { signed })
  await waitForRedeem(demo.home.client, { ...first, pollingIntervalMs: 20 })
  const again = await submitRedeem(client, { signed })
  check(again.hash === first.hash, 'the service returns the first hash for a repeated request')
  return [
    [
      'the same redeem sent again',
      'service',
      `no second redeem; returns the first hash ${first.hash.slice(0, 10)}…`,
    ],
    ['the same permit replayed', 'contract', await relayRefused(demo.home, signed)],
  ]
}

async function expiredPermit(demo: DemoSandbox): Promise<Refusal[]> {
  const { prepared, signed } = await signedRedeem(demo)
  const validBefore = Number(prepared.answer.validBefore)
  const why = await refusedUnsigned(demo, (signer) =>
    signRedeem(signer, { prepared, request: request(demo), now: () => validBefore * 1000 }),
  )
  const chain = demo.home.client.extend(testActions({ mode: 'anvil' }))
  const snapshot = await chain.snapshot()
  await chain.setNextBlockTimestamp({ timestamp: BigInt(validBefore) })
  const reverted = await relayRefused(demo.home, signed)
  await chain.revert({ id: snapshot })
  return [
    ['signing an expired permit', 'client', why],
    ['relaying an expired permit', 'contract', reverted],
  ]
}

async function notWhitelisted(demo: DemoSandbox): Promise<Refusal[]> {
  const { home, sandbox } = demo
  const stranger = await sandbox.deploy({
    abi: normalMerchantAbi,
    bytecode: normalMerchantBytecode,
    args: [home.usdc],
  })
  const transactionData = normal({
    to: stranger,
    abi: normalMerchantAbi,
    functionName: 'buy',
    args: [sandbox.accounts.alice.address, 10_000_000n],
  })
  // `redeem` has already submitted the permit, so it throws an error that says so, with the rejection as its cause.
  const cause = await redeem(alicesClient(demo), {
    ...request(demo),
    transactionData,
    signer: sandbox.accounts.alice.account,
  }).catch((error: unknown) => (error instanceof BaseError ? error.cause : error))
  check(cause instanceof BaseError && cause.name === 'NotWhitelistedError', 'the error names the whitelist')
  return [['a contract not on the whitelist', 'service', `${cause.name}: ${cause.shortMessage}`]]
}

/** Sends a redeem, paid only with credits, as an independent relayer would. Returns the reason of the expected revert. */
async function relayRefused(
  chain: DemoChain,
  signed: SignedRedeem,
  transactionData: TransactionData = signed.prepared.request.transactionData,
): Promise<string> {
  const { prepared, signedMessages } = signed
  const { permit } = parseCreditPermitMessage(prepared.answer.message)
  const call = {
    address: chain.creditsContract,
    abi: creditsAbi,
    functionName: 'redeem',
    args: [
      {
        permit: { ...permit, signature: checked(signedMessages.permitCredits) },
        intent: { amount: BigInt(prepared.amount), usdcAmount: 0n, salt: prepared.salt },
        settlement: settlementOf(transactionData),
        usdcAuthorization: { method: usdcMethods.none, signature: '0x' },
        gasFee: 0n,
      },
    ],
  } as const
  const hash = await chain.sendAnyway(call)
  const receipt = await waitForReceipt(chain.client, hash)
  check(receipt.status === 'reverted', 'the transaction reverts')
  try {
    await chain.client.simulateContract(call)
  } catch (error) {
    const data = revertDataOf(error)
    check(data !== undefined, 'the revert has a reason')
    return decodeRevert(data).reason
  }
  throw new Error('The call succeeded, although it reverted before.')
}

function checked(signature: string): `0x${string}` {
  check(signature.startsWith('0x'), 'a signature is hex')
  return signature as `0x${string}`
}
