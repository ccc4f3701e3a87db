import { createHash } from 'node:crypto'
import { request } from 'node:http'
import {
  address,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getBase58Decoder,
  isSolanaError,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
} from '@solana/kit'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  SendTransactionError,
  SYSVAR_RENT_PUBKEY,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unitsFor } from '../../src/redeemkit/solana/usdcTransfer/transferTerms.ts'
import { startSolana } from '../../src/sandbox/chains/solana/startSolana.ts'
import { tokenGuard } from './solanaGuards.ts'

/* Rejections by the network, through web3.js and kit, two libraries that were not written for this ledger. */

let solana: startSolana.ReturnType
let connection: Connection
let time = 1_800_000_000_000

beforeAll(async () => {
  solana = await startSolana({ now: () => time })
  connection = new Connection(solana.rpcUrl, 'confirmed')
})
afterAll(() => solana.stop())

const slots = (count: number) => {
  time += 400 * count
}
function payer(sol = 10_000_000_000n): Keypair {
  const key = Keypair.generate()
  solana.fundSol(key.publicKey.toBase58(), sol)
  return key
}
/** Returns a payment of a unique amount of lamports, so that no two are equal. */
async function payment(from: Keypair, more: readonly TransactionInstruction[] = []): Promise<Transaction> {
  const { blockhash, lastValidBlockHeight } = solana.ledger.latestBlockhash()
  const to = Keypair.generate().publicKey
  const transaction = new Transaction({ feePayer: from.publicKey, blockhash, lastValidBlockHeight }).add(
    ...more,
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports: 1_000_000 }),
  )
  transaction.sign(from)
  return transaction
}
const text = (transaction: Transaction) => transaction.serialize().toString('base64')
const signatureOf = (transaction: Transaction) =>
  getBase58Decoder().decode(transaction.signature ?? new Uint8Array()) as Signature
/** Sends a raw JSON-RPC call. */
async function post(method: string, params: readonly unknown[], url = solana.rpcUrl) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', body })
  return (await response.json()) as {
    result?: unknown
    error?: { code: number; message: string; data: unknown }
  }
}
const send = (transaction: Transaction, config: object = {}) =>
  post('sendTransaction', [
    text(transaction),
    { encoding: 'base64', preflightCommitment: 'confirmed', ...config },
  ])

describe('the local network', () => {
  test('has a slot every 400 ms, and a blockhash expires after 150 slots', async () => {
    const transaction = await payment(payer())
    const { absoluteSlot, blockHeight } = await connection.getEpochInfo()
    slots(150)
    expect((await connection.getEpochInfo()).absoluteSlot).toBe(absoluteSlot + 150)
    expect(await connection.getBlockHeight()).toBe((blockHeight ?? 0) + 150)
    expect((await connection.isBlockhashValid(transaction.recentBlockhash ?? '')).value).toBe(true)
    slots(1)
    expect((await send(transaction)).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
      data: { err: 'BlockhashNotFound', logs: [] },
    })
  })

  test('finalizes a transaction 32 slots after its inclusion', async () => {
    const rpc = createSolanaRpc(solana.rpcUrl)
    const transaction = await payment(payer())
    const signature = signatureOf(transaction)
    await send(transaction)
    const status = async () => (await rpc.getSignatureStatuses([signature]).send()).value[0]
    expect(await status()).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 0n })
    expect(await connection.getTransaction(signature, { commitment: 'finalized' })).toBeNull()
    slots(31)
    expect(await status()).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 31n })
    slots(1)
    expect(await status()).toMatchObject({ confirmationStatus: 'finalized', confirmations: null })
    expect(await connection.getTransaction(signature, { commitment: 'finalized' })).toMatchObject({
      meta: { err: null },
    })
  })

  test('is ahead of its finalized height: a blockhash expires before its expiry is final', async () => {
    const { lastValidBlockHeight } = await connection.getLatestBlockhash()
    slots(151)
    expect(await connection.getBlockHeight('confirmed')).toBeGreaterThan(lastValidBlockHeight)
    expect(await connection.getBlockHeight('finalized')).toBeLessThanOrEqual(lastValidBlockHeight)
    slots(32)
    expect(await connection.getBlockHeight('finalized')).toBeGreaterThan(lastValidBlockHeight)
  })

  test('lets a node drop signatures outside of its archive', async () => {
    const transaction = await payment(payer())
    await send(transaction)
    slots(301)
    const signature = signatureOf(transaction)
    expect((await connection.getSignatureStatuses([signature])).value).toEqual([null])
    const found = await connection.getSignatureStatuses([signature], { searchTransactionHistory: true })
    expect(found.value[0]?.confirmationStatus).toBe('finalized')
  })

  test('reports slots to subscribers over a websocket', async () => {
    const live = await startSolana({ slotMs: 20 })
    const stop = new AbortController()
    const rpc = createSolanaRpcSubscriptions(live.wsUrl)
    const seen: bigint[] = []
    for await (const { slot, parent, root } of await rpc
      .slotNotifications()
      .subscribe({ abortSignal: stop.signal })) {
      expect([parent, root]).toEqual([slot - 1n, slot - 32n])
      seen.push(slot)
      if (seen.length === 3) break
    }
    stop.abort()
    expect(seen).toEqual([...seen].sort())
    // The same over web3.js, which also unsubscribes.
    const web3 = new Connection(live.rpcUrl, { commitment: 'confirmed', wsEndpoint: live.wsUrl })
    const first = await new Promise<number>((resolve) => {
      const id = web3.onSlotChange(({ slot }) => {
        resolve(slot)
        void web3.removeSlotChangeListener(id)
      })
    })
    expect(first).toBeGreaterThan(0)
    await live.stop()
  })

  test('refuses requests and websockets that a tunnel forwards from another machine', async () => {
    const status = (url: string, headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const sent = request(url, { headers: { 'x-forwarded-for': '203.0.113.9', ...headers } }, (response) =>
          resolve(response.statusCode),
        )
        sent.on('upgrade', ({ statusCode }, socket) => {
          socket.destroy()
          resolve(statusCode)
        })
        sent.on('error', reject).end()
      })
    const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    expect(await status(solana.rpcUrl, {})).toBe(403)
    expect(
      await status(solana.wsUrl.replace('ws:', 'http:'), {
        ...upgrade,
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      }),
    ).toBe(403)
  })

  test('reports over a websocket that a transaction is final', async () => {
    const live = await startSolana({ slotMs: 10 })
    const web3 = new Connection(live.rpcUrl, { commitment: 'confirmed', wsEndpoint: live.wsUrl })
    const key = Keypair.generate()
    const signature = await web3.requestAirdrop(key.publicKey, 1_000_000_000)
    const { slot = 0 } = live.ledger.transactions.get(signature) ?? {}
    await web3.confirmTransaction(signature, 'finalized')
    expect(live.ledger.slot()).toBeGreaterThanOrEqual(slot + 32)
    await live.stop()
  })
})

describe('a transaction', () => {
  test('is refused when sent again', async () => {
    const transaction = await payment(payer())
    expect((await send(transaction)).result).toBe(signatureOf(transaction))
    expect((await send(transaction)).error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    })
  })

  test('whose program fails is refused with an error and a log that @solana/kit can read', async () => {
    const transaction = await payment(payer(2_000_000n), [])
    const poor = payer(900_000n)
    const broke = await payment(poor)
    const rpc = createSolanaRpc(solana.rpcUrl)
    const error = await rpc
      .sendTransaction(text(broke) as never, { encoding: 'base64' })
      .send()
      .catch((cause: unknown) => cause)
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
      throw error
    expect(error.context.logs?.join('\n')).toContain('insufficient lamports')
    expect(error.context.unitsConsumed).toBe(150n)
    expect((await send(transaction)).error).toBeUndefined()
    const again = await connection.sendRawTransaction(broke.serialize()).catch((cause: unknown) => cause)
    expect(again).toBeInstanceOf(SendTransactionError)
  })

  test('stops at the end of its compute unit limit', async () => {
    const memo = new TransactionInstruction({
      programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      keys: [],
      data: Buffer.from('m'.repeat(60)),
    })
    const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units })
    const { error } = await send(await payment(payer(), [limit(20_000), memo]))
    expect(error).toMatchObject({
      code: -32002,
      data: {
        err: {
          InstructionError: [1, expect.stringMatching(/ProgramFailedToComplete|ComputationalBudgetExceeded/)],
        },
      },
    })
    expect((await send(await payment(payer(), [limit(40_000), memo]))).error).toBeUndefined()
  })

  test('that is too long is refused, as base64 text and as bytes', async () => {
    const long = (length: number, encoding: 'base64' | 'base58') =>
      post('sendTransaction', [
        encoding === 'base64' ? Buffer.alloc(length).toString('base64') : '1'.repeat(length),
        { encoding },
      ])
    expect((await long(1236, 'base64')).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('too large: 1648 bytes (max: encoded/raw 1644/1232)'),
    })
    expect((await long(1233, 'base64')).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('too large: 1233 bytes (max: 1232 bytes)'),
    })
    expect((await long(1684, 'base58')).error?.message).toContain(
      'too large: 1684 bytes (max: encoded/raw 1683/1232)',
    )
    expect((await post('sendTransaction', ['AA', { encoding: 'utf8' }])).error?.code).toBe(-32602)
  })

  test('with a blockhash that is not final is refused at finalized commitment', async () => {
    const transaction = await payment(payer())
    expect((await send(transaction, { preflightCommitment: undefined })).error?.data).toMatchObject({
      err: 'BlockhashNotFound',
    })
    slots(33)
    expect((await send(transaction, { preflightCommitment: undefined })).error).toBeUndefined()
  })

  test('with an invalid signature returns a specific error', async () => {
    const transaction = await payment(payer())
    const bytes = transaction.serialize()
    bytes[5] = (bytes[5] ?? 0) ^ 1
    const config = { encoding: 'base64', preflightCommitment: 'confirmed' }
    expect((await post('sendTransaction', [bytes.toString('base64'), config])).error).toMatchObject({
      code: -32003,
      message: 'Transaction signature verification failure',
    })
  })
})

describe('fees', () => {
  const price = (microLamports: number) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })

  test.each([
    ['only the signature', []],
    ['a price, and the compute units of built-in programs', [price(7_000_001)]],
    ['a price and a limit', [price(1_000_000), ComputeBudgetProgram.setComputeUnitLimit({ units: 12_345 })]],
    ['a price, and the compute units of a deployed program', [price(3), 'memo']],
  ] as const)('are reported as charged: %s', async (_, more) => {
    const from = payer()
    const memo = new TransactionInstruction({
      programId: new PublicKey('Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH'),
      keys: [],
      data: Buffer.from('hello'),
    })
    const transaction = await payment(
      from,
      more.map((one) => (one === 'memo' ? memo : one)),
    )
    const { value } = await connection.getFeeForMessage(transaction.compileMessage())
    expect((await send(transaction)).error).toBeUndefined()
    expect(await connection.getBalance(from.publicKey)).toBe(10_000_000_000 - 1_000_000 - (value ?? 0))
  })

  test('are reported per slot, for transactions that write the same accounts', async () => {
    const [rich, thrifty] = [payer(), payer()]
    const dear = await payment(rich, [price(500)])
    await send(dear)
    await send(await payment(thrifty, [price(7)]))
    const of = async (...keys: PublicKey[]) =>
      (await connection.getRecentPrioritizationFees({ lockedWritableAccounts: keys }))
        .map(({ prioritizationFee }) => prioritizationFee)
        .filter((fee) => fee > 0)
    expect(await of(rich.publicKey)).toEqual([500])
    expect(await of(thrifty.publicKey)).toEqual([7])
    expect(await of(rich.publicKey, thrifty.publicKey)).toEqual([])
    expect(await connection.getRecentPrioritizationFees()).toHaveLength(150)
    const many = Array.from({ length: 129 }, () => rich.publicKey.toBase58())
    expect((await post('getRecentPrioritizationFees', [many])).error?.code).toBe(-32602)
  })
})

describe('a node', () => {
  test('responds for a slot that it has reached, and refuses a later one', async () => {
    const rpc = createSolanaRpc(solana.rpcUrl)
    const slot = await rpc.getSlot({ commitment: 'confirmed' }).send()
    const key = address(Keypair.generate().publicKey.toBase58())
    const config = { commitment: 'confirmed', minContextSlot: slot } as const
    expect((await rpc.getBalance(key, config).send()).context.slot).toBe(slot)
    const error = await rpc
      .getBalance(key, { ...config, minContextSlot: slot + 1n })
      .send()
      .catch((cause: unknown) => cause)
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED)) throw error
    expect(error.context.contextSlot).toBe(slot)
  })

  test('of a pool can lag: it does not know the newest blockhash and recent transactions', async () => {
    const lagging = await solana.addNode({ lagSlots: 20 })
    const late = new Connection(lagging.rpcUrl, 'confirmed')
    const transaction = await payment(payer())
    const refused = await post(
      'sendTransaction',
      [text(transaction), { encoding: 'base64', preflightCommitment: 'confirmed' }],
      lagging.rpcUrl,
    )
    expect(refused.error?.data).toMatchObject({ err: 'BlockhashNotFound' })
    await send(transaction)
    const signature = signatureOf(transaction)
    const statuses = async (from: Connection) =>
      (await from.getSignatureStatuses([signature], { searchTransactionHistory: true })).value
    expect(await statuses(late)).toEqual([null])
    expect((await statuses(connection))[0]?.confirmationStatus).toBe('confirmed')
    expect(await late.getBlockHeight()).toBe((await connection.getBlockHeight()) - 20)
    slots(20)
    expect((await statuses(late))[0]?.confirmationStatus).toBe('confirmed')
  })

  test('that lags too far reports itself unhealthy', async () => {
    slots(200)
    const { rpcUrl } = await solana.addNode({ lagSlots: 128 })
    const error = await createSolanaRpc(rpcUrl)
      .getHealth()
      .send()
      .catch((cause: unknown) => cause)
    if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_NODE_UNHEALTHY)) throw error
    expect(error.context.numSlotsBehind).toBe(128n)
    expect((await post('getHealth', [])).result).toBe('ok')
  })

  test('accepts every commitment', async () => {
    expect((await post('getSlot', [{ commitment: 'safe' }])).error?.code).toBe(-32602)
    const future = (await connection.getSlot()) + 1
    expect((await post('getBlockTime', [future])).error?.code).toBe(-32004)
    const both = { sigVerify: true, replaceRecentBlockhash: true, encoding: 'base64' }
    expect((await post('simulateTransaction', [text(await payment(payer())), both])).error?.code).toBe(-32602)
  })
})

describe('rent', () => {
  test.each([
    [6960n, 2_039_280],
    [6333n, 1_855_569],
    [5080n, 1_488_440],
    [2575n, 754_475],
    [1322n, 387_346],
    [696n, 203_928],
  ])('at %d lamports per byte, is the cost of an account', async (lamportsPerByte, expected) => {
    const chain = await startSolana({ lamportsPerByte })
    const own = new Connection(chain.rpcUrl, 'confirmed')
    expect(await own.getMinimumBalanceForRentExemption(165)).toBe(expected)
    const sysvar = await own.getAccountInfo(SYSVAR_RENT_PUBKEY)
    expect(sysvar?.data.readBigUInt64LE()).toBe(lamportsPerByte)
    const key = chain.createTestAccount({ sol: 1_000_000_000n })
    const signer = Keypair.fromSecretKey(key.secretKey)
    const [mint, owner] = [new PublicKey(chain.usdcMint), Keypair.generate().publicKey]
    const account = getAssociatedTokenAddressSync(mint, owner)
    const create = createAssociatedTokenAccountIdempotentInstruction(signer.publicKey, account, owner, mint)
    await own.sendTransaction(new Transaction().add(create), [signer])
    expect(await own.getBalance(account)).toBe(expected)
    await chain.stop()
  })

  test('can fall while the chain runs; accounts keep their balance', async () => {
    const chain = await startSolana()
    const own = new Connection(chain.rpcUrl, 'confirmed')
    const { address: owner } = chain.createTestAccount({ usdc: 1n })
    const account = getAssociatedTokenAddressSync(new PublicKey(chain.usdcMint), new PublicKey(owner))
    chain.setLamportsPerByte(6333n)
    expect(await own.getMinimumBalanceForRentExemption(0)).toBe(128 * 6333)
    expect(await own.getBalance(account)).toBe(2_039_280)
    await chain.stop()
  })
})

describe('the memo program', () => {
  const memo = (programId: string, from: Keypair) =>
    new TransactionInstruction({
      programId: new PublicKey(programId),
      keys: [{ pubkey: from.publicKey, isSigner: true, isWritable: false }],
      data: Buffer.from('why does spl memo use 36000 cus to print len 60 msg of ascii'),
    })

  // Memo 3 and memo 4, as github.com/solana-program/memo describes them (p-memo/README.md, program/tests).
  test.each([
    ['1', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', 651],
    ['3', 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 36_476],
    ['4', 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH', 513],
  ])('%s is the program that the network runs', async (_, programId, units) => {
    const from = payer()
    const transaction = await payment(from, [memo(programId, from)])
    expect((await send(transaction)).error).toBeUndefined()
    const included = await connection.getTransaction(signatureOf(transaction), { commitment: 'confirmed' })
    // Memo 3 writes the signer's address digit by digit, so some addresses cost a little less.
    expect(Math.abs((included?.meta?.computeUnitsConsumed ?? 0) - units - 150)).toBeLessThan(units / 50 + 1)
  })

  // Sample characters of each kind, and the most expensive of several thousand.
  test.each([
    ['letters', 'a', 500],
    ['spaces', ' ', 500],
    ['quotation marks', '"', 500],
    ['control characters', '\u001a', 250],
    ['letters with accents', 'é', 250],
    ['Arabic letters', '\u07bd', 250],
    ['Chinese characters', '語', 90],
    ['Korean syllables', '\uac1c', 90],
    ['full-width signs', '\ufff5', 60],
    ['emojis', '😀', 60],
    ['emojis of later versions', '\u{1fc4a}', 60],
  ])('3 uses no more compute units for %s than a transfer allows', async (_, letter, count) => {
    const from = payer()
    const transaction = await payment(from, [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }),
      new TransactionInstruction({
        programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
        keys: [],
        data: Buffer.from(letter.repeat(count)),
      }),
    ])
    const { value } = await connection.simulateTransaction(transaction)
    expect(value.err).toBeNull()
    // Compute units for everything except the memo.
    const rest = unitsFor('', 3) - 64 * 360
    expect(value.unitsConsumed).toBeLessThan(unitsFor(letter.repeat(count), 3) - rest)
    expect(value.unitsConsumed).toBeGreaterThan((unitsFor(letter.repeat(count), 3) - rest) / 4)
  })

  test('3 is byte for byte the released program, and 4 exists', () => {
    const hashOf = (key: string) => {
      const account = solana.ledger.read(key)
      const data = account?.data ?? new Uint8Array()
      return { length: data.length, hash: createHash('sha256').update(data).digest('hex') }
    }
    expect(hashOf('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')).toEqual({
      length: 74_800,
      hash: 'f520eaf096361abbb9639ea4dc3e5388a87b9330e121f476607b87c46ef67954',
    })
    expect(solana.ledger.isProgram('Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH')).toBe(true)
  })
})

describe('assertions of the Lighthouse program', () => {
  /** Returns a transfer of 1.5 USDC out of the customer's 25 USDC. */
  function transfer() {
    const customer = solana.createTestAccount({ usdc: 25_000_000n, sol: 1_000_000_000n })
    const shop = solana.createTestAccount({ usdc: 1n })
    const [mint, owner] = [new PublicKey(solana.usdcMint), new PublicKey(customer.address)]
    const source = getAssociatedTokenAddressSync(mint, owner)
    const target = getAssociatedTokenAddressSync(mint, new PublicKey(shop.address))
    const pay = createTransferCheckedInstruction(source, mint, target, owner, 1_500_000n, 6)
    const signed = (...instructions: TransactionInstruction[]) => {
      const { blockhash, lastValidBlockHeight } = solana.ledger.latestBlockhash()
      const transaction = new Transaction({ feePayer: owner, blockhash, lastValidBlockHeight })
      transaction.add(...instructions)
      transaction.sign(Keypair.fromSecretKey(customer.secretKey))
      return transaction
    }
    return { customer, source, pay, signed }
  }

  test('are accepted without evaluation, before and after the transfer', async () => {
    const { customer, source, pay, signed } = transfer()
    const transaction = signed(
      tokenGuard(source, 25_000_000n, 'equal'),
      pay,
      // The assertion is false after the transfer, so mainnet would fail the transaction.
      tokenGuard(source, 25_000_000n, 'equal'),
    )
    expect((await connection.simulateTransaction(transaction)).value.err).toBeNull()
    expect((await send(transaction)).error).toBeUndefined()
    expect(solana.usdcOf(customer.address)).toBe(23_500_000n)
    const included = await connection.getTransaction(signatureOf(transaction), { commitment: 'confirmed' })
    expect(included?.transaction.message.instructions).toHaveLength(3)
  })

  test('do not make a forged signature valid', async () => {
    const { customer, source, pay, signed } = transfer()
    const bytes = signed(tokenGuard(source, 1n, 'atLeast'), pay).serialize()
    bytes[5] = (bytes[5] ?? 0) ^ 1
    const forged = bytes.toString('base64')
    const config = { encoding: 'base64', preflightCommitment: 'confirmed' }
    expect((await post('sendTransaction', [forged, config])).error?.code).toBe(-32003)
    await post('sendTransaction', [forged, { ...config, skipPreflight: true }])
    expect(solana.usdcOf(customer.address)).toBe(25_000_000n)
  })

  test('name an executable account', async () => {
    const account = await connection.getAccountInfo(
      new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'),
    )
    expect(account?.executable).toBe(true)
  })
})
