import {
  Asset,
  contract,
  type Keypair,
  Operation,
  rpc,
  SorobanDataBuilder,
  scValToNative,
  Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressArg, amountArg, ledgerArg, networkName, openNetwork, usdcTest } from './openNetwork.ts'

let on: Awaited<ReturnType<typeof openNetwork>>
let usdc: string
let xlm: string
const one = 10_000_000n

beforeAll(async () => {
  on = await openNetwork()
  usdc = on.network.usdc.contract
  xlm = Asset.native().contractId(on.network.networkPassphrase)
})
afterAll(() => on.stop())

/** Simulates a call. @returns its value, or the failure's text */
async function ask(token: string, functionName: string, args: xdr.ScVal[], source: Keypair) {
  const operation = Operation.invokeContractFunction({ contract: token, function: functionName, args })
  const draft = await on.draft(source.publicKey(), [operation])
  const simulated = await on.server.simulateTransaction(draft)
  if (rpc.Api.isSimulationError(simulated)) return simulated.error
  const value = simulated.result?.retval
  return value === undefined ? undefined : scValToNative(value)
}
/** Calls a function with its source account. @returns the result code */
async function call(source: Keypair, token: string, functionName: string, args: xdr.ScVal[]) {
  const operation = Operation.invokeContractFunction({ contract: token, function: functionName, args })
  const prepared = await on.server.prepareTransaction(await on.draft(source.publicKey(), [operation]))
  prepared.sign(source)
  return on.submit(prepared)
}
const key = (keypair: Keypair) => addressArg(keypair.publicKey())
const soon = async () => (await on.server.getLatestLedger()).sequence + 1000

describe(`allowances of USDC's contract on ${networkName}`, () => {
  usdcTest('a spender can take at most the approved amount', async () => {
    const [holder, spender, shop] = [await on.withUsdc('5'), await on.funded(), await on.withUsdc('0')]
    const until = ledgerArg(await soon())
    expect(await call(holder, usdc, 'approve', [key(holder), key(spender), amountArg(3n * one), until])).toBe(
      'SUCCESS',
    )
    const take = [key(spender), key(holder), key(shop), amountArg(2n * one)]
    expect(await call(spender, usdc, 'transfer_from', take)).toBe('SUCCESS')
    expect(await ask(usdc, 'allowance', [key(holder), key(spender)], holder)).toBe(one)
    expect(await on.usdcOf(shop.publicKey())).toBe(2n * one)
    expect(await on.usdcOf(holder.publicKey())).toBe(3n * one)
    // The contract's AllowanceError.
    expect(await ask(usdc, 'transfer_from', take, spender)).toContain('#9')
  })
  usdcTest('spending needs an allowance', async () => {
    const [holder, spender] = [await on.withUsdc('1'), await on.funded()]
    const take = [key(spender), key(holder), key(spender), amountArg(1n)]
    expect(await ask(usdc, 'transfer_from', take, spender)).toContain('#9')
  })
  usdcTest('an allowance of 0 revokes it', async () => {
    const [holder, spender] = [await on.withUsdc('1'), await on.funded()]
    const parties = [key(holder), key(spender)]
    await call(holder, usdc, 'approve', [...parties, amountArg(one), ledgerArg(await soon())])
    expect(await ask(usdc, 'allowance', parties, holder)).toBe(one)
    expect(await call(holder, usdc, 'approve', [...parties, amountArg(0n), ledgerArg(0)])).toBe('SUCCESS')
    expect(await ask(usdc, 'allowance', parties, holder)).toBe(0n)
  })
  usdcTest('rejects an allowance for a past ledger', async () => {
    const [holder, spender] = [await on.withUsdc('1'), await on.funded()]
    const { sequence } = await on.server.getLatestLedger()
    const past = [key(holder), key(spender), amountArg(one), ledgerArg(sequence - 1)]
    expect(await ask(usdc, 'approve', past, holder)).toContain('#9')
  })
  usdcTest('rejects an allowance beyond the maximum lifetime', async () => {
    const [holder, spender] = [await on.withUsdc('1'), await on.funded()]
    const far = [key(holder), key(spender), amountArg(one), ledgerArg(2 ** 32 - 1)]
    expect(await ask(usdc, 'approve', far, holder)).toContain('Storage')
  })
  usdcTest('a negative amount is a contract error', async () => {
    const [holder, spender] = [await on.withUsdc('1'), await on.funded()]
    const args = [key(holder), key(spender), amountArg(-1n), ledgerArg(await soon())]
    expect(await ask(usdc, 'approve', args, holder)).toContain('#8')
  })
})

describe(`XLM’s own contract on ${networkName}`, () => {
  test('moves XLM', async () => {
    const [from, to] = [await on.funded(), await on.funded()]
    expect(await call(from, xlm, 'transfer', [key(from), key(to), amountArg(one)])).toBe('SUCCESS')
    const account = await on.server.getAccountEntry(to.publicKey())
    expect(account.balance().toBigInt()).toBe(10_000n * one + one)
    expect(await ask(xlm, 'balance', [key(to)], to)).toBe(10_000n * one + one)
  })
  test('does not move an account’s reserve', async () => {
    const [from, to] = [await on.funded(), await on.funded()]
    const all = [key(from), key(to), amountArg(10_000n * one)]
    expect(await ask(xlm, 'transfer', all, from)).toContain('#10')
  })
  test('returns its name, symbol and decimals', async () => {
    const source = await on.funded()
    expect(await ask(xlm, 'symbol', [], source)).toBe('native')
    expect(await ask(xlm, 'decimals', [], source)).toBe(7)
  })
  test('a contract holds XLM', async () => {
    const from = await on.funded()
    const before = await ask(xlm, 'balance', [addressArg(usdc)], from)
    const args = [key(from), addressArg(usdc), amountArg(one)]
    expect(await call(from, xlm, 'transfer', args)).toBe('SUCCESS')
    expect(await ask(xlm, 'balance', [addressArg(usdc)], from)).toBe(before + one)
  })
})

/** A token's functions for the SDK's contract client (CAP-46-6). */
const tokenSpec = [
  'AAAAAAAAAAAAAAAHYmFsYW5jZQAAAAABAAAAAAAAAAJpZAAAAAAAEwAAAAEAAAAL',
  'AAAAAAAAAAAAAAAIdHJhbnNmZXIAAAADAAAAAAAAAARmcm9tAAAAEwAAAAAAAAACdG8AAAAAABMAAAAAAAAABmFtb3VudAAAAAAACwAAAAA=',
]

describe(`the SDK’s contract client on ${networkName}`, () => {
  test('reads and pays through XLM’s contract', async () => {
    const [from, to] = [await on.funded(), await on.funded()]
    const { networkPassphrase } = on.network
    const client = new contract.Client(new contract.Spec(tokenSpec), {
      contractId: xlm,
      networkPassphrase,
      rpcUrl: on.rpcUrl,
      allowHttp: true,
      publicKey: from.publicKey(),
      ...contract.basicNodeSigner(from, networkPassphrase),
    }) as contract.Client &
      Record<'balance' | 'transfer', (args: object) => Promise<contract.AssembledTransaction<bigint>>> // as in its spec
    const paid = await client.transfer({ from: from.publicKey(), to: to.publicKey(), amount: one })
    const sent = await paid.signAndSend()
    expect(sent.getTransactionResponse?.status).toBe('SUCCESS')
    expect((await client.balance({ id: to.publicKey() })).result).toBe(10_000n * one + one)
  })
})

describe('resources', () => {
  let receiver: Keypair

  beforeAll(async () => {
    receiver = await on.funded()
  })

  /** Returns a simulated transfer by the XLM contract, with changed resources. */
  async function transfer(
    change: (data: SorobanDataBuilder, resources: xdr.SorobanResources) => void = () => {},
  ) {
    const from = await on.funded()
    const { networkPassphrase } = on.network
    const args = [addressArg(from.publicKey()), addressArg(receiver.publicKey()), amountArg(5n)]
    const operation = Operation.invokeContractFunction({ contract: xlm, function: 'transfer', args })
    const prepared = await on.server.prepareTransaction(await on.draft(from.publicKey(), [operation]))
    const declared = prepared.toEnvelope().v1().tx().ext().sorobanData()
    const data = new SorobanDataBuilder(declared)
    change(data, declared.resources())
    const built = TransactionBuilder.cloneFrom(prepared, {
      fee: '2000000',
      sorobanData: data.build(),
      networkPassphrase,
    }).build()
    built.sign(from)
    return { from, built }
  }
  const submitted = async (change: Parameters<typeof transfer>[0]) =>
    on.submit((await transfer(change)).built)

  describe(`declared resources on ${networkName}`, () => {
    test('the simulated resources are enough, and the excess fee is not charged', async () => {
      const { from, built } = await transfer()
      const before = await on.server.getAccountEntry(from.publicKey())
      const sent = await on.server.sendTransaction(built)
      expect(await on.statusOf(sent.hash)).toBe('SUCCESS')
      const included = await on.server.getTransaction(sent.hash)
      if (included.status !== 'SUCCESS') throw new Error('The transaction was not applied.')
      const charged = included.resultXdr.feeCharged().toBigInt()
      const after = await on.server.getAccountEntry(from.publicKey())
      const spent = BigInt(before.balance().toString()) - BigInt(after.balance().toString())
      expect(spent).toBe(charged + 5n)
      expect(charged).toBeLessThan(2_000_000n)
    })
    test('rejects too few read bytes', async () => {
      expect(
        await submitted((data, now) =>
          data.setResources(now.instructions(), now.diskReadBytes() >> 1, now.writeBytes()),
        ),
      ).toBe('invokeHostFunctionResourceLimitExceeded')
    })
    test('rejects too few write bytes', async () => {
      expect(
        await submitted((data, now) =>
          data.setResources(now.instructions(), now.diskReadBytes(), now.writeBytes() >> 1),
        ),
      ).toBe('invokeHostFunctionResourceLimitExceeded')
    })
    test('rejects an entry missing from the footprint', async () => {
      expect(await submitted((data, now) => data.setReadWrite(now.footprint().readWrite().slice(1)))).toBe(
        'invokeHostFunctionTrapped',
      )
    })
    test('rejects a write to a read-only entry', async () => {
      const moved = (data: SorobanDataBuilder, now: xdr.SorobanResources) => {
        const [first, ...others] = now.footprint().readWrite()
        if (first === undefined) throw new Error('The call writes no entry.')
        data.setFootprint([...now.footprint().readOnly(), first], others)
      }
      expect(await submitted(moved)).toBe('invokeHostFunctionTrapped')
    })
    test('rejects a duplicate footprint entry', async () => {
      const doubled = (data: SorobanDataBuilder, now: xdr.SorobanResources) => {
        const { readOnly, readWrite } = {
          readOnly: now.footprint().readOnly(),
          readWrite: now.footprint().readWrite(),
        }
        data.setFootprint([...readOnly, ...readOnly], readWrite)
      }
      expect(await submitted(doubled)).toBe('txSorobanInvalid')
    })
    test('rejects more instructions than the network limit', async () => {
      expect(
        await submitted((data, now) =>
          data.setResources(4_000_000_000, now.diskReadBytes(), now.writeBytes()),
        ),
      ).toBe('txSorobanInvalid')
    })
    test('rejects a resource fee below the declared resources', async () => {
      expect(await submitted((data) => data.setResourceFee(1000))).toBe('txSorobanInvalid')
    })
    test('rejects a resource fee above the total fee', async () => {
      const { from, built } = await transfer()
      const envelope = built.toEnvelope()
      const tx = envelope.v1().tx()
      tx.fee(Number(tx.ext().sorobanData().resourceFee().toBigInt()) - 1)
      envelope.v1().signatures([])
      const changed = new Transaction(envelope, on.network.networkPassphrase)
      changed.sign(from)
      expect(await on.submit(changed)).toBe('txSorobanInvalid')
    })
    test('rejects a call without resources', async () => {
      const from = await on.funded()
      const args = [addressArg(from.publicKey()), addressArg(receiver.publicKey()), amountArg(5n)]
      const operation = Operation.invokeContractFunction({ contract: xlm, function: 'transfer', args })
      const bare = await on.draft(from.publicKey(), [operation])
      bare.sign(from)
      expect(await on.submit(bare)).toBe('txSorobanInvalid')
    })
    test('a call that fails costs its declared resources', async () => {
      const { from, built } = await transfer((data, now) =>
        data.setResources(now.instructions(), now.diskReadBytes(), now.writeBytes() >> 1),
      )
      const before = await on.server.getAccountEntry(from.publicKey())
      const sent = await on.server.sendTransaction(built)
      await on.statusOf(sent.hash)
      const failed = await on.server.getTransaction(sent.hash)
      if (failed.status !== 'FAILED') throw new Error('The transaction did not fail.')
      const after = await on.server.getAccountEntry(from.publicKey())
      const spent = BigInt(before.balance().toString()) - BigInt(after.balance().toString())
      expect(spent).toBe(failed.resultXdr.feeCharged().toBigInt())
      expect(spent).toBeGreaterThan(100n)
    })
  })
})
