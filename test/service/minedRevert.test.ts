import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normalMerchantAbi, normalMerchantBytecode } from '../../contracts/generated/merchants.ts'
import { normal } from '../../src/redeemkit/evm/index.ts'
import { type PurchaseStorage, redeem } from '../../src/redeemkit/index.ts'
import { type RunningSandbox, type SandboxChain, startSandbox } from '../../src/sandbox/index.ts'
import { anvil, clientOf } from './sandboxClient.ts'

/** A merchant that succeeds in every simulation, but reverts in the block. */
describe.each(['intentBound', 'randomNonce'] as const)(
  'a redeem that reverts when mined, service kind %s',
  (kind) => {
    let sandbox: RunningSandbox<typeof kind>
    let base: SandboxChain<typeof kind>
    let chain: ReturnType<typeof anvil>
    let shop: Hex

    beforeAll(async () => {
      sandbox = await startSandbox({ service: kind, bridge: false })
      ;({ base } = sandbox.chains as Required<typeof sandbox.chains>) // the sandbox starts it by default
      chain = anvil(base.rpcUrl)
      shop = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
      await sandbox.whitelist({ target: shop })
    })
    afterAll(() => sandbox?.stop())

    const abi = [...normalMerchantAbi, ...parseAbi(['error SoldOut(uint256 left)'])] as const
    const soldOut = encodeErrorResult({ abi, errorName: 'SoldOut', args: [0n] })
    /** PUSHes the bytes to memory word by word, and reverts with them. */
    const revertWith = (data: Hex): Hex => {
      const size = (data.length - 2) / 2
      const words = data.slice(2).match(/.{1,64}/g) ?? []
      const stores = words.map(
        (word, at) => `7f${word.padEnd(64, '0')}60${(at * 32).toString(16).padStart(2, '0')}52`,
      )
      return `0x${stores.join('')}60${size.toString(16).padStart(2, '0')}6000fd`
    }

    const kept = new Map<string, string>()
    const storage: PurchaseStorage = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
      replaceItem: (key, expected, value) => {
        if ((kept.get(key) ?? null) !== expected) return false
        if (value === null) kept.delete(key)
        else kept.set(key, value)
        return true
      },
    }

    const buy = (person: 'alice' | 'bob' | 'carol', options: object = {}) => {
      const { account, address } = sandbox.accounts[person]
      const client = clientOf(sandbox, { wallet: address })
      return redeem(client, {
        signer: account,
        publicClient: chain.client,
        pollingIntervalMs: 50,
        timeoutMs: 20_000,
        chainId: base.chainId,
        subtotal: { cents: 100 },
        transactionData: normal({ to: shop, abi, functionName: 'buy', args: [address, 1_000_000n] }),
        pinned: base.pinned,
        // With random nonces, an order ID needs a store.
        storage,
        onStep: ({ step }) => {
          if (step === 'submitted') submitted++
        },
        ...options,
      })
    }

    /** Redeems that the service has sent to the chain. */
    let submitted = 0
    /** Makes the shop sold out once this many redeems wait to be mined. */
    async function sellOutBefore(waiting: number, work: () => Promise<unknown>): Promise<unknown> {
      const code = await chain.client.getCode({ address: shop })
      submitted = 0
      await chain.rpc('evm_setAutomine', [false])
      try {
        const done = work()
        let isOver = false
        const over = () => {
          isOver = true
        }
        done.then(over, over)
        while (!isOver && submitted < waiting) await new Promise((resolve) => setTimeout(resolve, 20))
        await chain.rpc('anvil_setCode', [shop, revertWith(soldOut)])
        await chain.rpc('evm_mine', [])
        return await done
      } finally {
        await chain.rpc('evm_setAutomine', [true])
        await chain.rpc('anvil_setCode', [shop, code])
      }
    }

    test('is reported immediately with the contract’s reason, and can be sent again', async () => {
      const started = Date.now()
      await expect(sellOutBefore(1, () => buy('alice', { purchaseId: `${kind} one` }))).rejects.toMatchObject(
        {
          name: 'RedeemRevertedError',
          message: expect.stringContaining('SoldOut: left 0'),
        },
      )
      expect(Date.now() - started).toBeLessThan(10_000)
      const { outcome } = await buy('alice', { purchaseId: `${kind} one` })
      expect(outcome).toMatchObject({ wallet: sandbox.accounts.alice.address })
    })

    test('is reported the same way for several redeems at the same time', async () => {
      const started = Date.now()
      const both = () =>
        Promise.allSettled(
          (['alice', 'bob', 'carol'] as const).map((name) => buy(name, { purchaseId: `${kind} ${name}` })),
        )
      const ends = (await sellOutBefore(3, both)) as Awaited<ReturnType<typeof both>>
      for (const end of ends)
        expect(end).toMatchObject({
          status: 'rejected',
          reason: { name: 'RedeemRevertedError', message: expect.stringContaining('SoldOut: left 0') },
        })
      expect(Date.now() - started).toBeLessThan(15_000)
    })
  },
)
