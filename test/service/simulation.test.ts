import { type Abi, encodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChainReadError } from '../../src/redeemkit/evm/client.ts'
import type { CreditsAuthMsgBody, TransactionData } from '../../src/redeemkit/schema/index.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import {
  createSandbox,
  devAccount,
  type RunningSandbox,
  type Sandbox,
  type SandboxChain,
  startSandbox,
} from '../../src/sandbox/index.ts'
import { artifactOf } from '../simulation/startStage.ts'
import {
  anvil,
  type Caller,
  caller,
  customer,
  lentChain,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

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
  ;({ base } = lender.chains as Required<typeof lender.chains>) // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
  alice = lender.accounts.alice.address
  sandbox = createSandbox({
    merchants: [
      { merchantId: lender.merchantId, apiKey: 'first key' },
      { merchantId: 'other-shop', apiKey: 'second key' },
    ],
    chains: [{ ...lentChain(lender), whitelisterKey: devAccount('whitelister').privateKey }],
    onError: (error) => errors.push(error),
  })
  service = caller(sandbox.app)
})
afterAll(async () => {
  await sandbox?.stop()
  await lender?.stop()
})

/** Returns a merchant's contract with a whitelist entry. */
async function deploy(name: string): Promise<{ to: Hex; abi: Abi }> {
  const { abi, bytecode } = artifactOf(name)
  const to = await chain.deploy(abi, bytecode, [base.usdc])
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
    key: lender.accounts.alice.account,
  })
const send = async (body: unknown) => service.post(sendGaslessTxPath, body, customer(alice))

describe('a token left behind', () => {
  test.each([
    ['NftStaysWithCaller', 'the credits contract, which calls the merchant’s contract'],
    ['UsesTxOrigin', `tx.origin, the relayer ${devAccount('operator').account.address}`],
  ])('%s is refused before it is sent', async (name, holder) => {
    const before = await chain.client.getBlockNumber()
    const body = await signed(await redeemOf(name, [alice, 1_000_000n]))
    const answer = await send(body)
    expect(answer).toMatchObject({
      status: 412,
      body: {
        code: 'SIMULATION_FAILED',
        message: expect.stringContaining(
          `would stay with ${holder}: the customer would pay without receiving it. Send the token to the receiver`,
        ),
        details: {
          findings: [
            { code: 'NFT_STAYS_BEHIND', severity: 'danger', fix: expect.stringContaining('safeMint') },
          ],
        },
      },
    })
    // Two blocks: the contract and its entry. The refused redeem was not sent.
    expect(await chain.client.getBlockNumber()).toBe(before + 2n)
  })

  test('ERC-20 tokens are refused too: no transaction type forwards them', async () => {
    const { status, body } = await send(
      await signed(await redeemOf('CoinsStayWithCaller', [alice, 1_000_000n])),
    )
    expect([status, body.code]).toEqual([412, 'SIMULATION_FAILED'])
    expect(body.message).toMatch(
      / raw units of the ERC-20 token 0x\w{40} would stay with the credits contract/,
    )
    expect(body.details).toMatchObject({
      findings: [{ code: 'NFT_STAYS_BEHIND', fix: expect.stringContaining('in the call data') }],
    })
  })

  test('tokens that reach the customer are accepted', async () => {
    const nft = await redeemOf('SafeMintMerchant721', [1n, 1_000_000n], {
      functionName: 'mint',
      type: 'safeMint',
    })
    expect(await send(await signed(nft))).toMatchObject({ status: 200 })
    const coins = await redeemOf('CoinSale', [alice, 1_000_000n])
    expect(await send(await signed(coins))).toMatchObject({ status: 200 })
    // The request that the node could not execute.
    expect(errors.filter((error) => error instanceof ChainReadError)).toEqual([])
  })
})

describe('a redeem that would fail', () => {
  test('by pulling more than the subtotal is refused', async () => {
    const { status, body } = await send(await signed(await redeemOf('NormalMerchant', [alice, 1_500_000n])))
    expect([status, body.code]).toEqual([412, 'SIMULATION_FAILED'])
    expect(body.message).toMatch(
      /^INSUFFICIENT FUNDS TO REDEEM: .* What to change: Take no more than the amount with transferFrom/,
    )
    expect(body.details).toMatchObject({
      revertReason: 'INSUFFICIENT FUNDS TO REDEEM',
      contract: expect.stringMatching(/^0x/),
      at: expect.any(Array),
      revertData: expect.stringMatching(/^0x08c379a0[0-9a-f]+$/),
      findings: [{ code: 'PULLS_MORE' }],
    })
  })

  test('by pulling from the customer is refused, and the broken rule is reported once', async () => {
    const { body } = await send(await signed(await redeemOf('PullsFromOthers', [alice, 1_000_000n])))
    const [finding] = body.details.findings
    expect(finding.code).toBe('PULLS_FROM_OTHERS')
    expect(body.message.split(finding.message)).toHaveLength(2)
    expect(body.message).toMatch(/^The redeem would fail: in 0x.*What to change: /)
  })

  test('by an endless loop is refused', async () => {
    const { to, abi } = await deploy('NormalMerchant')
    // JUMPDEST PUSH1 0 JUMP
    await chain.rpc('anvil_setCode', [to, '0x5b600056'])
    const data = encodeFunctionData({ abi, functionName: 'buy', args: [alice, 1_000_000n] })
    const { status, body } = await send(await signed({ transaction: { to, data } }))
    expect([status, body.code, body.details.revertReason]).toEqual([
      412,
      'SIMULATION_FAILED',
      'it ran out of gas',
    ])
    // No other rule explains the failure, so the finding contains the reason.
    expect(body.message.match(/ran out of gas/g)).toHaveLength(1)
  })

  test('by calling a missing function is refused', async () => {
    const { to } = await deploy('NormalMerchant')
    const body = await signed({ transaction: { to, data: '0x12345678' } })
    expect(await send(body)).toMatchObject({
      status: 412,
      body: { message: expect.stringContaining(`in ${getAddress(to)}, it has no function 0x12345678.`) },
    })
  })
})

test('a pending redeem gets an immediate response when it is sent again', async () => {
  const body = await signed(await redeemOf('NormalMerchant', [alice, 1_000_000n]))
  await chain.rpc('evm_setAutomine', [false])
  try {
    const first = await send(body)
    const second = await send(body)
    expect(second).toMatchObject({ status: 200, body: { hash: first.body.hash } })
  } finally {
    await chain.rpc('evm_setAutomine', [true])
    await chain.rpc('evm_mine', [])
  }
})

describe('messages for developers', () => {
  const key = { authorization: 'first key' }

  test('list the chains, with their addresses on this machine', async () => {
    const { body } = await service.get('/sandbox/chains')
    expect(body).toEqual({
      chains: [
        {
          blockchain: 'base',
          environment: 'sandbox',
          chainId: base.chainId,
          name: 'Base Sepolia',
          rpcUrl: base.rpcUrl,
          creditsContract: base.creditsContract,
          usdc: base.usdc,
          operator: base.operator,
          bridgeAdapter: base.bridgeAdapter,
        },
      ],
    })
    // The node reports to the service that started it whether it is a fork.
    const own = await caller(lender.app).get('/sandbox/chains')
    expect(own.body).toEqual({ chains: [{ ...body.chains[0], forked: false }] })
  })

  test("list the merchant's redeems, each with its report", async () => {
    const buy = await redeemOf('NormalMerchant', [alice, 1_000_000n])
    const body = await signed(buy)
    const { hash } = (await send(body)).body
    await waitForReceipt(chain.client, hash)
    const [first] = (await service.get('/sandbox/redeems?limit=1', key)).body.redeems
    const { to } = (buy as { transaction: { to: Hex } }).transaction
    expect(first).toMatchObject({
      blockchain: 'base',
      wallet: alice,
      nonce: body.nonce,
      shape: 'normal',
      target: expect.stringMatching(new RegExp(to, 'i')),
      selector: '0xcce7ec13',
      amount: '1000000',
      hash,
    })
    const path = `/sandbox/redeems/${alice}/${body.nonce}/report`
    expect(await service.get(path, key)).toMatchObject({
      status: 200,
      body: { verdict: 'ok', redeem: { hash, amount: '1000000' }, execution: { succeeded: true } },
    })
    const other = { authorization: 'second key' }
    expect((await service.get(path, other)).status).toBe(404)
    const nobody = `/sandbox/redeems/${lender.accounts.bob.address}/${body.nonce}/report`
    expect((await service.get(nobody, key)).status).toBe(404)
    expect((await service.get('/sandbox/redeems', other)).body).toEqual({ redeems: [] })
  })

  test('return a report as text, with the requested width', async () => {
    const body = await signed(await redeemOf('NormalMerchant', [alice, 1_000_000n]))
    const { hash } = (await send(body)).body
    await waitForReceipt(chain.client, hash)
    const path = `/sandbox/redeems/${alice}/${body.nonce}/report`
    expect((await service.get(path, key)).body).not.toHaveProperty('text')
    const [narrow, wide] = await Promise.all(
      [60, 200].map(async (columns) => (await service.get(`${path}?columns=${columns}`, key)).body.text),
    )
    expect(narrow).toContain('0xcce7ec13(64 bytes)')
    expect(narrow.split('\n').length).toBeGreaterThan(wide.split('\n').length)
    expect((await service.get(`${path}?columns=59`, key)).status).toBe(400)
  })

  test('describe the effect of an unsigned redeem', async () => {
    const transactionData = await redeemOf('NftStaysWithCaller', [alice, 1_000_000n])
    const asked = { blockchain: 'base', wallet: alice, subtotal: { cents: 100 }, transactionData }
    const { status, body } = await service.post('/sandbox/simulate', asked, key)
    expect([status, body.verdict]).toEqual([200, 'refuse'])
    expect(body.findings.map((finding: { code: string }) => finding.code)).toEqual(['NFT_STAYS_BEHIND'])
    expect(body.gas.fee).toMatch(/^[1-9]\d*$/)
    const usesOrigin = { ...asked, transactionData: await redeemOf('UsesTxOrigin', [alice, 1_000_000n]) }
    const judgedBy = async (rules: string) =>
      (await service.post('/sandbox/simulate', { ...usesOrigin, rules }, key)).body.findings.map(
        (finding: { code: string }) => finding.code,
      )
    expect(await judgedBy('economic')).toEqual(['NFT_STAYS_BEHIND'])
    expect(await judgedBy('all')).toEqual(['NFT_STAYS_BEHIND', 'USES_TX_ORIGIN'])
    const unknown = await service.post('/sandbox/simulate', { ...asked, signer: 'x' }, key)
    expect(unknown).toMatchObject({ status: 400, body: { issues: ['signer'] } })
  })
})
