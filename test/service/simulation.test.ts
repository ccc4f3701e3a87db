import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createSandbox,
  devAccount,
  type RunningSandbox,
  type Sandbox,
  type SandboxChain,
  startSandbox,
} from '../../src/sandbox/index.ts'
import type { CreditsAuthMsgBody, TransactionData } from '../../src/schema/index.ts'
import { artifactOf } from '../simulation/startStage.ts'
import { anvil, type Caller, caller, customer, sendGaslessTxPath, signedBody } from './sandboxClient.ts'

/** Lends its chain to the service under test. */
let lender: RunningSandbox
let base: SandboxChain
let chain: ReturnType<typeof anvil>
let sandbox: Sandbox
let service: Caller
let alice: Hex
const errors: unknown[] = []

beforeAll(async () => {
  lender = await startSandbox({ bridge: false })
  ;({ base } = lender.chains as Required<typeof lender.chains>) // the one that is started by default
  chain = anvil(base.rpcUrl)
  alice = lender.people.alice.address
  sandbox = createSandbox({
    merchants: [
      { merchantId: lender.merchantId, apiKey: 'first key' },
      { merchantId: 'other-shop', apiKey: 'second key' },
    ],
    chains: [
      {
        blockchain: 'base',
        rpcUrl: base.rpcUrl,
        creditsContract: base.creditsContract,
        operatorKey: devAccount('operator').privateKey,
        whitelisterKey: devAccount('whitelister').privateKey,
      },
    ],
    onError: (error) => errors.push(error),
  })
  service = caller(sandbox.app)
})
afterAll(async () => {
  await sandbox?.stop()
  await lender?.stop()
})

/** A merchant's contract that is on the whitelist. */
async function deploy(name: string): Promise<{ to: Hex; abi: Abi }> {
  const { abi, bytecode } = artifactOf(name)
  const to = await chain.deploy({ abi, bytecode, args: [base.usdc] })
  await sandbox.whitelist({ target: to })
  return { to, abi }
}

async function redeemOf(
  name: string,
  args: readonly unknown[],
  { functionName = 'buy', ...rest }: { functionName?: string; type?: 'safeMint' } = {},
): Promise<TransactionData> {
  const { to, abi } = await deploy(name)
  return { transaction: { to, data: encodeFunctionData({ abi, functionName, args }) }, ...rest }
}

const signed = (transactionData: TransactionData, changes: Partial<CreditsAuthMsgBody> = {}) =>
  signedBody(service, {
    request: { merchantId: lender.merchantId, subtotal: { cents: 100 }, transactionData, ...changes },
    wallet: alice,
    key: lender.people.alice.account,
  })
const send = async (body: unknown) => service.post(sendGaslessTxPath, body, customer(alice))

describe('a token that would stay behind', () => {
  test.each([
    ['NftStaysWithCaller', 'the credits contract, which calls the merchant’s'],
    ['UsesTxOrigin', `tx.origin, the relayer ${devAccount('operator').account.address.toLowerCase()}`],
  ])('%s is refused before it is sent', async (name, holder) => {
    const before = await chain.client.getBlockNumber()
    const body = await signed(await redeemOf(name, [alice, 1_000_000n]))
    const answer = await send(body)
    expect(answer).toMatchObject({
      status: 412,
      body: {
        code: 'SIMULATION_FAILED',
        message: expect.stringContaining(`would stay with ${holder}: the customer would pay and not get it. Mint`),
        details: {
          findings: [
            { code: 'NFT_STAYS_BEHIND', severity: 'danger', fix: expect.stringContaining('safeMint') },
          ],
        },
      },
    })
    // The contract and its entry.
    expect(await chain.client.getBlockNumber()).toBe(before + 2n)
  })

  test('tokens that reach the customer pass', async () => {
    const nft = await redeemOf('SafeMintMerchant721', [1n, 1_000_000n], { functionName: 'mint', type: 'safeMint' })
    expect(await send(await signed(nft))).toMatchObject({ status: 200 })
    expect(errors).toEqual([])
  })
})
