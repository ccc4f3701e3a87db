import type { Hex } from 'viem'
import { normalMerchantAbi, normalMerchantBytecode } from '../../../../contracts/generated/NormalMerchant.ts'
import { createPaymentsClient, type PaymentsClient } from '../../../api/createPaymentsClient.ts'
import { BaseError } from '../../../core/errors/baseError.ts'
import type { AccountSigner } from '../../../evm/signer/evmSigner.ts'
import { normal } from '../../../evm/transactionData/normal.ts'
import { token } from '../../../evm/transactionData/token.ts'
import { prepareRedeem } from '../../../redeem/prepareRedeem.ts'
import { redeem } from '../../../redeem/redeem.ts'
import { signRedeem } from '../../../redeem/signRedeem.ts'
import { submitRedeem } from '../../../redeem/submitRedeem.ts'
import { waitForRedeem } from '../../../redeem/waitForRedeem.ts'
import { type Act, told } from '../act.ts'
import { lies, lyingFetch } from '../lyingService.ts'
import { relayRefused } from '../relay.ts'
import { printTable, shortened } from '../report.ts'
import type { Stage } from '../stage.ts'

/** What must not happen, and by whom and why it does not. */
export const refusals: Act = {
  title:
    'Refuse: a lying service, an unpinned contract, a cheating relayer, a replay, an expired permit, no whitelist',
  play: async (stage, progress) => {
    const rows: Row[] = []
    for (const lie of lies) {
      progress(`the service lies about ${lie.field}`)
      rows.push(await lyingServiceRefused(stage, lie))
    }
    const others = [unpinnedContract, changedCalldata, replay, expiredPermit, notWhitelisted]
    for (const refusal of others) {
      progress(refusal.name)
      rows.push(...(await refusal(stage)))
    }
    return () =>
      printTable('Refusals', {
        head: ['what is tried', 'refused by', 'why'],
        rows: rows.map((row) => row.map(shortened)),
        note: '"client" refuses before the wallet is asked: no prompt is shown. "contract" is a mined, reverted transaction.',
      })
  },
}

type Row = [tried: string, refusedBy: 'client' | 'service' | 'contract', why: string]

function clientOf({ sandbox }: Stage, fetch?: PaymentsClientFetch): PaymentsClient {
  const options = { baseUrl: sandbox.url, merchantId: sandbox.merchantId, blockchain: 'base' } as const
  return createPaymentsClient({ ...options, wallet: sandbox.people.alice.address, fetch })
}

type PaymentsClientFetch = (url: string, init: RequestInit) => Promise<Response>

function request({ sandbox, home }: Stage) {
  return {
    chainId: home.chainId,
    pinned: home.pinned,
    subtotal: { cents: 1000 },
    transactionData: token({ destination: sandbox.people.bob.address }),
  }
}

/** Alice's signer, which counts how often it is asked. */
function countingSigner({ sandbox }: Stage) {
  const { account } = sandbox.people.alice
  let prompts = 0
  const signer: AccountSigner = {
    address: account.address,
    signTypedData: (typedData) => {
      prompts++
      return account.signTypedData(typedData)
    },
    signMessage: (message) => {
      prompts++
      return account.signMessage(message)
    },
  }
  return { signer, prompts: () => prompts }
}

/** The error that the client ends with before anything is asked of the wallet. */
async function refusedBeforePrompt(
  stage: Stage,
  run: (signer: AccountSigner) => Promise<unknown>,
): Promise<string> {
  const { signer, prompts } = countingSigner(stage)
  const error = await errorOf(() => run(signer))
  told(prompts() === 0, 'the wallet is not asked')
  return `${error.name}: ${error.shortMessage}`
}

async function errorOf(run: () => Promise<unknown>): Promise<BaseError> {
  try {
    await run()
  } catch (error) {
    if (error instanceof BaseError) return error
    throw error
  }
  throw new Error('Not as told: it went through.')
}

async function lyingServiceRefused(stage: Stage, lie: (typeof lies)[number]): Promise<Row> {
  const client = clientOf(stage, lyingFetch(lie))
  const why = await refusedBeforePrompt(stage, (signer) =>
    redeem(client, { ...request(stage), usdcAmount: { cents: 400 }, signer }),
  )
  return [`service lies: ${lie.field}`, 'client', why]
}

async function unpinnedContract(stage: Stage): Promise<Row[]> {
  const pinned = { ...stage.home.pinned, creditsContract: stage.far.bridgeAdapter }
  const why = await refusedBeforePrompt(stage, (signer) =>
    redeem(clientOf(stage), { ...request(stage), pinned, signer }),
  )
  return [['a contract that is not pinned', 'client', why]]
}

async function signedRedeem(stage: Stage) {
  const client = clientOf(stage)
  const prepared = await prepareRedeem(client, request(stage))
  return { client, prepared, signed: await signRedeem(stage.sandbox.people.alice.account, { prepared }) }
}

async function changedCalldata(stage: Stage): Promise<Row[]> {
  const { signed } = await signedRedeem(stage)
  const why = await relayRefused(
    stage.home,
    signed,
    token({ destination: stage.sandbox.people.carol.address }),
  )
  return [['relayer changes the destination', 'contract', why]]
}

async function replay(stage: Stage): Promise<Row[]> {
  const { client, signed } = await signedRedeem(stage)
  const first = await submitRedeem(client, { signed })
  await waitForRedeem(stage.home.client, { ...first, pollingIntervalMs: 20 })
  const again = await submitRedeem(client, { signed })
  told(again.hash === first.hash, 'the service answers a repetition with the first hash')
  return [
    [
      'the same redeem sent again',
      'service',
      `no second redeem; answers the first hash ${first.hash.slice(0, 10)}…`,
    ],
    ['the same permit replayed', 'contract', await relayRefused(stage.home, signed)],
  ]
}

async function expiredPermit(stage: Stage): Promise<Row[]> {
  const { prepared, signed } = await signedRedeem(stage)
  const validBefore = Number(prepared.answer.validBefore)
  const why = await refusedBeforePrompt(stage, (signer) =>
    signRedeem(signer, { prepared, now: () => validBefore * 1000 }),
  )
  const { client } = stage.home
  const snapshot = await client.request<{ Method: 'evm_snapshot'; Parameters: []; ReturnType: Hex }>({
    method: 'evm_snapshot',
    params: [],
  })
  await client.request<{ Method: 'evm_setNextBlockTimestamp'; Parameters: [number]; ReturnType: null }>({
    method: 'evm_setNextBlockTimestamp',
    params: [validBefore],
  })
  const reverted = await relayRefused(stage.home, signed)
  await client.request<{ Method: 'evm_revert'; Parameters: [Hex]; ReturnType: boolean }>({
    method: 'evm_revert',
    params: [snapshot],
  })
  return [
    ['signing an expired permit', 'client', why],
    ['relaying an expired permit', 'contract', reverted],
  ]
}

async function notWhitelisted(stage: Stage): Promise<Row[]> {
  const { home, sandbox } = stage
  const stranger = await home.deploy({
    abi: normalMerchantAbi,
    bytecode: normalMerchantBytecode,
    args: [home.usdc],
  })
  const transactionData = normal({
    to: stranger,
    abi: normalMerchantAbi,
    functionName: 'buy',
    args: [sandbox.people.alice.address, 10_000_000n],
  })
  const error = await errorOf(() =>
    redeem(clientOf(stage), { ...request(stage), transactionData, signer: sandbox.people.alice.account }),
  )
  told(error.name === 'NotWhitelistedError', `the whitelist is the reason, and not: ${error.shortMessage}`)
  return [['a contract not on the whitelist', 'service', `${error.name}: ${error.shortMessage}`]]
}
