import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normalMerchantAbi, normalMerchantBytecode } from '../contracts/generated/NormalMerchant.ts'
import { type Stage, setStage } from '../src/cli/demo/stage.ts'
import { deployContract } from '../test/setup/deployContract.ts'
import { explain } from './inspect-before-signing/index.ts'
import { payTenDollars } from './redeem-in-one-call/index.ts'
import { tryContract } from './redeem-on-your-machine/index.ts'
import { buyNft } from './redeem-step-by-step/index.ts'
import { signIn } from './sign-in/index.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

describe('the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const shown = new Map(
    [...readme.matchAll(/```ts\n\/\/ examples\/(.+)\/index\.ts\n([\s\S]*?)```/g)].map(([, name, code]) => [
      name,
      code,
    ]),
  )
  const tasks = readdirSync(here, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

  test.each(tasks)('shows %s to the letter', (task) => {
    expect(shown.get(task)).toBe(readFileSync(`${here}${task}/index.ts`, 'utf8'))
  })

  test('shows no other code', () => {
    expect([...readme.matchAll(/```ts\n/g)]).toHaveLength(tasks.length)
  })

  test('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    const named = [...readme.matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name]) => name)
    const own = new Set([...Object.keys(scripts), 'ci', 'install'])
    expect(named.filter((name) => !own.has(name ?? ''))).toEqual([])
  })
})

describe('the examples run', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage(() => {})
  })
  afterAll(() => stage?.stop())

  test('redeem in one call', async () => {
    const { sandbox, home } = stage
    const outcome = await payTenDollars({
      baseUrl: sandbox.url,
      signer: sandbox.people.alice.account,
      publicClient: home.client,
      pinned: home.pinned,
      shop: sandbox.people.bob.address,
    })
    expect(outcome).toMatchObject({ kind: 'token', amount: 10_000_000n, usdcAmount: 4_000_000n })
  })

  test('redeem step by step, with a reload between', async () => {
    const { sandbox, home, merchants } = stage
    const kept = new Map<string, string>()
    const outcome = await buyNft({
      baseUrl: sandbox.url,
      wallet: sandbox.people.alice.address,
      signer: sandbox.people.alice.account,
      publicClient: home.client,
      pinned: home.pinned,
      shop: merchants.safeMint,
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => {
          kept.set(key, value)
        },
      },
    })
    expect(outcome.kind).toBe('safeMint')
    expect(outcome.movements).toContainEqual(
      expect.objectContaining({ standard: 'ERC-721', direction: 'in', contract: merchants.safeMint }),
    )
  })

  test('sign in', async () => {
    const { sandbox } = stage
    const credential = await signIn({ baseUrl: sandbox.url, signer: sandbox.people.alice.account })
    expect(credential).toMatchObject({ wallet: sandbox.people.alice.address, blockchain: 'base' })
  })

  test('inspect before signing', () => {
    const account = stage.sandbox.people.alice.address
    const approval = {
      domain: { name: 'USDC', version: '2', chainId: 84532, verifyingContract: stage.home.usdc },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type: 'address' },
        ],
        TransferWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'validAfter', type: 'uint256' },
          { name: 'validBefore', type: 'uint256' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'TransferWithAuthorization',
      message: {
        from: account,
        to: stage.sandbox.people.bob.address,
        value: '250000000',
        validAfter: '0',
        validBefore: '1900000000',
        nonce: `0x${'11'.repeat(32)}`,
      },
    }
    const request = { method: 'eth_signTypedData_v4', params: [account, JSON.stringify(approval)] }
    const shown = explain(request, account)
    expect(shown.title).toContain('250')
    expect(shown.lines.length).toBeGreaterThan(0)
    const stranger = stage.sandbox.people.bob.address
    expect(explain(request, stranger).mayBeSigned).toBe(false)
  })

  test('redeem on your machine', async () => {
    const outcome = await tryContract((rpcUrl, usdc) =>
      deployContract(createPublicClient({ transport: http(rpcUrl) }), {
        abi: normalMerchantAbi,
        bytecode: normalMerchantBytecode,
        args: [usdc],
      }),
    )
    expect(outcome).toMatchObject({ kind: 'normal', charged: expect.any(BigInt) })
  })
})
