import { Asset, contract, type Keypair, Operation, rpc, scValToNative, type xdr } from '@stellar/stellar-sdk'
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
      Record<'balance' | 'transfer', (args: object) => Promise<contract.AssembledTransaction<bigint>>> // what the spec says
    const paid = await client.transfer({ from: from.publicKey(), to: to.publicKey(), amount: one })
    const sent = await paid.signAndSend()
    expect(sent.getTransactionResponse?.status).toBe('SUCCESS')
    expect((await client.balance({ id: to.publicKey() })).result).toBe(10_000n * one + one)
  })
})
