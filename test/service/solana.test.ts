import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createTransferCheckedInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getMint,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseBase58 } from '../../src/redeemkit/solana/encoding.ts'
import {
  confirmUsdcTransfer,
  inspect,
  networkOf,
  prepareUsdcTransfer,
  SubmitUnknownError,
  signUsdcTransfer,
  sponsorUsdcTransfer,
  submitUsdcTransfer,
  tokenAccountOf,
} from '../../src/redeemkit/solana/index.ts'
import { openConnection } from '../../src/sandbox/chains/solana/openConnection.ts'
import { solanaAuth } from '../../src/sandbox/chains/solana/solanaAuth.ts'
import { startSolana } from '../../src/sandbox/chains/solana/startSolana.ts'

let solana: startSolana.ReturnType
let connection: Connection
let sponsor: startSolana.TestAccount

beforeAll(async () => {
  solana = await startSolana()
  connection = new Connection(solana.rpcUrl, 'confirmed')
  sponsor = solana.createTestAccount({ sol: 100_000_000_000n })
})
afterAll(() => solana.stop())

const base = () => {
  const customer = solana.createTestAccount({ usdc: 25_000_000n })
  const merchant = solana.createTestAccount()
  const options = {
    environment: 'sandbox',
    from: customer.address,
    to: merchant.address,
    sponsor: sponsor.address,
    amount: 1_500_000n,
    paymentId: 'pay_1',
  } as const
  return { customer, merchant, options }
}
const keypairOf = ({ secretKey }: startSolana.TestAccount) => Keypair.fromSecretKey(secretKey)

describe('a sponsored USDC transfer', () => {
  test('is paid by a customer who holds no SOL, to a merchant who has no token account', async () => {
    const { customer, merchant, options } = base()
    const before = await connection.getBalance(new PublicKey(sponsor.address))
    const transfer = await prepareUsdcTransfer(connection, options)
    expect(transfer.rent).toEqual({ lamports: '2039280' })
    const { transaction } = await signUsdcTransfer(keypairOf(customer), {
      transaction: transfer.transaction,
      expected: transfer,
    })
    const whole = await sponsorUsdcTransfer(keypairOf(sponsor), { transaction, expected: transfer })
    const { signature } = await submitUsdcTransfer(connection, whole)
    const { slot } = await confirmUsdcTransfer(connection, {
      signature,
      lastValidBlockHeight: transfer.lastValidBlockHeight,
    })

    const account = getAssociatedTokenAddressSync(
      new PublicKey(solana.usdcMint),
      new PublicKey(merchant.address),
    )
    expect((await getAccount(connection, account)).amount).toBe(1_500_000n)
    expect(solana.usdcOf(customer.address)).toBe(23_500_000n)
    expect(await connection.getBalance(new PublicKey(customer.address))).toBe(0)
    const included = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(included).toMatchObject({ slot, meta: { err: null } })
    const { details } = inspect({ transaction: whole.transaction }, { address: customer.address })
    const feeLamports = details?.feeLamports ?? 0n
    expect(included?.meta?.fee).toBe(Number(feeLamports))
    expect(await connection.getBalance(new PublicKey(sponsor.address))).toBe(
      before - Number(feeLamports) - 2_039_280,
    )
    expect(included?.meta?.logMessages?.join('\n')).toContain('pay_1')

    // The token account exists at the second payment, so no rent is due.
    expect((await prepareUsdcTransfer(connection, { ...options, paymentId: 'pay_2' })).rent).toEqual({
      lamports: '0',
    })
  })

  test('is prepared and signed again after its blockhash has expired, and is paid once', async () => {
    const { customer, merchant, options } = base()
    const pay = async (onSigned: () => void) => {
      const transfer = await prepareUsdcTransfer(connection, options)
      const signed = await signUsdcTransfer(customer, {
        transaction: transfer.transaction,
        expected: transfer,
      })
      onSigned()
      return { transfer, whole: await sponsorUsdcTransfer(sponsor, { ...signed, expected: transfer }) }
    }
    const stale = await pay(() => solana.expireBlockhash())
    const unknown = await submitUsdcTransfer(connection, stale.whole).catch((error: unknown) => error)
    if (!(unknown instanceof SubmitUnknownError)) throw unknown
    await expect(
      confirmUsdcTransfer(connection, {
        signature: unknown.signature,
        lastValidBlockHeight: stale.transfer.lastValidBlockHeight,
      }),
    ).rejects.toMatchObject({ name: 'BlockhashExpiredError' })
    const fresh = await pay(() => undefined)
    const sent = await submitUsdcTransfer(connection, fresh.whole)
    await confirmUsdcTransfer(connection, {
      ...sent,
      lastValidBlockHeight: fresh.transfer.lastValidBlockHeight,
    })
    expect(solana.usdcOf(merchant.address)).toBe(1_500_000n)
  })

  test('is never paid twice if the errors’ advice is followed: a lost response, then an expired blockhash', async () => {
    const { customer, merchant, options } = base()
    let isLost = false
    const lossy = {
      ...solana.connection,
      sendRawTransaction: async (bytes: Uint8Array) => {
        const answer = await solana.connection.sendRawTransaction(bytes)
        if (isLost) return answer
        isLost = true
        throw new Error('socket hang up')
      },
    }
    const transfer = await prepareUsdcTransfer(lossy, options)
    const signed = await signUsdcTransfer(customer, { transaction: transfer.transaction, expected: transfer })
    const whole = await sponsorUsdcTransfer(sponsor, { ...signed, expected: transfer })
    const unknown = await submitUsdcTransfer(lossy, whole).catch((error: unknown) => error)
    expect(unknown).toBeInstanceOf(SubmitUnknownError)
    solana.expireBlockhash()
    const { signature } = await submitUsdcTransfer(lossy, whole)
    expect(unknown).toMatchObject({ signature })
    await confirmUsdcTransfer(lossy, { signature, lastValidBlockHeight: transfer.lastValidBlockHeight })
    expect(solana.usdcOf(merchant.address)).toBe(1_500_000n)
  })

  test('costs the sponsor no unexpected rent', async () => {
    const { customer, options } = base()
    const transfer = await prepareUsdcTransfer(connection, options)
    const { transaction } = await signUsdcTransfer(customer, {
      transaction: transfer.transaction,
      expected: transfer,
    })
    const sign = (expected: sponsorUsdcTransfer.Options['expected']) =>
      sponsorUsdcTransfer(sponsor, { transaction, expected })
    await expect(sign({ ...options, maxFeeLamports: 20_000n })).rejects.toMatchObject({
      name: 'FeeTooHighError',
      field: 'maxRentLamports',
    })
    await expect(sign({ ...transfer, maxRentLamports: 2_039_279n })).rejects.toMatchObject({
      name: 'FeeTooHighError',
    })
    await expect(sign({ ...options, maxRentLamports: 2_039_280n })).resolves.toBeDefined()
  })

  test("distinguishes a token account from bare lamports, a frozen account, and another owner's account", async () => {
    const { merchant, options } = base()
    const account = tokenAccountOf({ owner: merchant.address, mint: solana.usdcMint })
    solana.fundSol(account, 900_000n)
    expect((await prepareUsdcTransfer(connection, options)).rent).toEqual({ lamports: '2039280' })
    solana.fundUsdc(merchant.address, 0n)
    const state = solana.ledger.read(account)
    if (state === undefined) throw new Error('no token account')
    const spoilt = (at: number, bytes: ArrayLike<number>) => {
      const data = Uint8Array.from(state.data)
      data.set(bytes, at)
      solana.ledger.write(account, { ...state, data })
    }
    for (const [at, bytes] of [
      [108, [2]],
      [32, Keypair.generate().publicKey.toBytes()],
    ] as const) {
      spoilt(at, bytes)
      await expect(prepareUsdcTransfer(connection, options)).rejects.toMatchObject({
        name: 'MissingTokenAccountError',
        field: 'to',
      })
    }
  })

  test('is not prepared for a program’s address', async () => {
    const { options, merchant } = base()
    const program = Keypair.generate().publicKey.toBase58()
    solana.ledger.write(merchant.address, { lamports: 10_000_000n, owner: program, data: new Uint8Array() })
    await expect(prepareUsdcTransfer(connection, options)).rejects.toMatchObject({
      name: 'InvalidAddressError',
      field: 'to',
    })
    await expect(
      prepareUsdcTransfer(connection, { ...options, allowOwnerOffCurve: true }),
    ).resolves.toBeDefined()
  })

  test('fails atomically if the receiver’s token account has a new owner', async () => {
    const { customer, merchant, options } = base()
    solana.fundUsdc(merchant.address, 1n)
    const account = getAssociatedTokenAddressSync(
      new PublicKey(solana.usdcMint),
      new PublicKey(merchant.address),
    )
    const transfer = await prepareUsdcTransfer(connection, options)
    const state = solana.ledger.read(account.toBase58())
    state?.data.set(Keypair.generate().publicKey.toBytes(), 32)
    if (state !== undefined) solana.ledger.write(account.toBase58(), state)
    const { transaction } = await signUsdcTransfer(customer, {
      transaction: transfer.transaction,
      expected: transfer,
    })
    const whole = await sponsorUsdcTransfer(sponsor, { transaction, expected: transfer })
    await expect(submitUsdcTransfer(connection, whole)).rejects.toMatchObject({
      name: 'TransactionFailedError',
    })
    expect(solana.usdcOf(customer.address)).toBe(25_000_000n)
  })

  test('is not prepared on another network, without a token account, or without enough USDC', async () => {
    const { options } = base()
    const prepare = (change: object) => prepareUsdcTransfer(connection, { ...options, ...change })
    await expect(prepare({ environment: 'prod' })).rejects.toMatchObject({
      name: 'WrongNetworkError',
      field: 'connection',
    })
    await expect(prepare({ from: solana.createTestAccount().address })).rejects.toMatchObject({
      name: 'MissingTokenAccountError',
      field: 'from',
    })
    await expect(prepare({ amount: 25_000_001n })).rejects.toMatchObject({
      name: 'InsufficientUsdcError',
      field: 'amount',
    })
    await expect(prepare({ amount: 25_000_000n })).resolves.toBeDefined()
    await expect(prepare({ amount: 0n })).rejects.toMatchObject({ name: 'InvalidAmountError' })
  })

  test('is not prepared from a frozen account', async () => {
    const { customer, options } = base()
    const account = getAssociatedTokenAddressSync(
      new PublicKey(solana.usdcMint),
      new PublicKey(customer.address),
    ).toBase58()
    const state = solana.ledger.read(account)
    if (state !== undefined) {
      state.data[108] = 2
      solana.ledger.write(account, state)
    }
    await expect(prepareUsdcTransfer(connection, options)).rejects.toMatchObject({
      name: 'MissingTokenAccountError',
    })
  })

  test('is inspected the same way if built by a third party, lookup tables included', async () => {
    const { customer, merchant, options } = base()
    const payer = keypairOf(sponsor)
    const mint = new PublicKey(solana.usdcMint)
    const [from, to] = [new PublicKey(customer.address), new PublicKey(merchant.address)]
    const ata = (owner: PublicKey) => getAssociatedTokenAddressSync(mint, owner)
    const [create, key] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot: await connection.getSlot(),
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: key,
      authority: payer.publicKey,
      payer: payer.publicKey,
      addresses: [ata(from), ata(to), mint, to],
    })
    await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [payer])
    const table = (await connection.getAddressLookupTable(key)).value
    if (table === null) throw new Error('no lookup table')
    const { blockhash } = await connection.getLatestBlockhash()
    const theirs = new VersionedTransaction(
      new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: blockhash,
        instructions: [
          createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, ata(to), to, mint),
          createTransferCheckedInstruction(ata(from), mint, ata(to), from, 1_500_000n, 6),
        ],
      }).compileToV0Message([table]),
    )
    const expected = { ...options, paymentId: undefined }
    await expect(signUsdcTransfer(customer, { transaction: theirs, expected })).rejects.toMatchObject({
      name: 'UnresolvedLookupTableError',
    })
    const signed = await signUsdcTransfer(customer, { transaction: theirs, expected, lookupTables: [table] })
    const whole = await sponsorUsdcTransfer(sponsor, {
      ...signed,
      expected: { ...expected, maxRentLamports: 2_039_280n },
      lookupTables: [table],
    })
    const { signature } = await submitUsdcTransfer(connection, whole)
    expect(
      (await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))?.meta
        ?.loadedAddresses?.writable,
    ).toHaveLength(2)
    expect(solana.usdcOf(merchant.address)).toBe(1_500_000n)
  })
})

describe('the local chain', () => {
  test('looks like devnet to a web3.js Connection', async () => {
    expect(await connection.getGenesisHash()).toBe(networkOf('sandbox').genesisHash)
    expect((await connection.getVersion())['solana-core']).toMatch(/^\d/)
    expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(2_039_280)
    expect(await connection.getSlot()).toBeGreaterThan(0)
    expect(await getMint(connection, new PublicKey(solana.usdcMint))).toMatchObject({
      decimals: 6,
      isInitialized: true,
    })
    const before = await connection.getBlockHeight()
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    // A new block may be produced between the two requests.
    expect(lastValidBlockHeight - 150).toBeGreaterThanOrEqual(before)
    expect(lastValidBlockHeight - 150).toBeLessThanOrEqual(await connection.getBlockHeight())
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true)
    expect((await connection.isBlockhashValid(Keypair.generate().publicKey.toBase58())).value).toBe(false)
  })

  test('airdrops, confirms over websocket, and returns the history', async () => {
    const keypair = Keypair.generate()
    const airdrop = await connection.requestAirdrop(keypair.publicKey, 1_000_000_000)
    expect((await connection.confirmTransaction(airdrop)).value.err).toBeNull()
    const to = Keypair.generate().publicKey
    const pay = SystemProgram.transfer({ fromPubkey: keypair.publicKey, toPubkey: to, lamports: 5_000_000 })
    const signature = await sendAndConfirmTransaction(connection, new Transaction().add(pay), [keypair])
    expect(await connection.getBalance(to)).toBe(5_000_000)
    expect(await connection.getBalance(keypair.publicKey)).toBe(994_995_000)
    expect((await connection.getSignatureStatus(signature)).value?.confirmationStatus).toBe('confirmed')
    expect((await connection.getSignaturesForAddress(to)).map((found) => found.signature)).toEqual([
      signature,
    ])
    expect((await connection.getTransaction(signature))?.transaction.message.instructions).toHaveLength(1)
    expect(
      (await connection.getParsedTransaction(signature))?.transaction.message.accountKeys[0]?.signer,
    ).toBe(true)
    expect((await connection.getBlockTime(1)) ?? 0).toBeGreaterThan(1_700_000_000)
  })

  test('supports queries about accounts and tokens', async () => {
    const { customer } = base()
    const owner = new PublicKey(customer.address)
    const mint = new PublicKey(solana.usdcMint)
    const account = getAssociatedTokenAddressSync(mint, owner)
    expect((await connection.getTokenAccountBalance(account)).value).toMatchObject({
      amount: '25000000',
      uiAmountString: '25',
    })
    expect(
      (await connection.getTokenAccountsByOwner(owner, { mint })).value.map(({ pubkey }) => pubkey),
    ).toEqual([account])
    const parsed = await connection.getParsedTokenAccountsByOwner(owner, { mint })
    expect(parsed.value[0]?.account.data.parsed.info.tokenAmount.amount).toBe('25000000')
    const both = await connection.getMultipleAccountsInfo([account, Keypair.generate().publicKey])
    expect(both.map((found) => found?.data.length)).toEqual([165, undefined])
    expect((await connection.getTokenSupply(mint)).value.decimals).toBe(6)
    await expect(connection.getTokenAccountBalance(owner)).rejects.toThrow(/could not find account/)
  })

  test('simulates, returns fees, and refuses with a node’s messages', async () => {
    const poor = Keypair.generate()
    await connection.confirmTransaction(await connection.requestAirdrop(poor.publicKey, 2_000_000))
    const { blockhash } = await connection.getLatestBlockhash()
    const build = (lamports: number, recentBlockhash = blockhash) => {
      const pay = SystemProgram.transfer({
        fromPubkey: poor.publicKey,
        toPubkey: Keypair.generate().publicKey,
        lamports,
      })
      const transaction = new VersionedTransaction(
        new TransactionMessage({
          payerKey: poor.publicKey,
          recentBlockhash,
          instructions: [pay],
        }).compileToV0Message(),
      )
      transaction.sign([poor])
      return transaction
    }
    const good = build(1_000_000)
    expect((await connection.getFeeForMessage(good.message)).value).toBe(5000)
    expect((await connection.simulateTransaction(good)).value.err).toBeNull()
    expect((await connection.simulateTransaction(build(9_000_000))).value.err).toEqual({
      InstructionError: [0, { Custom: 1 }],
    })
    const stale = build(1_000_000, Keypair.generate().publicKey.toBase58())
    expect(
      (await connection.simulateTransaction(stale, { replaceRecentBlockhash: true })).value.err,
    ).toBeNull()
    await expect(connection.sendTransaction(stale)).rejects.toThrow(/Blockhash not found/)
    await expect(connection.sendTransaction(build(9_000_000))).rejects.toThrow(/custom program error: 0x1/)
    const forged = good.serialize()
    forged[5] = (forged[5] ?? 0) ^ 1
    await expect(connection.sendRawTransaction(forged)).rejects.toThrow(/signature verification failure/)
    await expect(connection.sendRawTransaction(forged.slice(0, 90))).rejects.toThrow(/failed to deserialize/)
    const failing = await connection.sendTransaction(build(9_000_001), { skipPreflight: true })
    expect((await connection.confirmTransaction(failing)).value.err).toEqual({
      InstructionError: [0, { Custom: 1 }],
    })
    await connection.sendTransaction(good)
    await expect(connection.sendTransaction(good)).rejects.toThrow(/already been processed/)
  })

  test('has a new blockhash for each block, so that equal payments are two transactions', async () => {
    const payer = Keypair.generate()
    const to = Keypair.generate().publicKey
    solana.fundSol(payer.publicKey.toBase58(), 1_000_000_000n)
    const pay = () =>
      sendAndConfirmTransaction(
        connection,
        new Transaction().add(
          SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1_000_000 }),
        ),
        [payer],
      )
    const [first, second] = [await pay(), await pay()]
    expect(second).not.toBe(first)
    expect(await connection.getBalance(to)).toBe(2_000_000)
  })

  test('accepts a blockhash for 150 blocks, and a transaction once', async () => {
    // Uses a separate chain: a `Connection` caches its blockhash for 30 seconds.
    const aged = await startSolana({ slotMs: Number.POSITIVE_INFINITY })
    const { ledger } = aged
    const connection = new Connection(aged.rpcUrl, 'confirmed')
    const payer = Keypair.generate()
    ledger.fundSol(payer.publicKey.toBase58(), 1_000_000_000n)
    const { blockhash, lastValidBlockHeight } = ledger.latestBlockhash()
    const build = (lamports: number, recentBlockhash: string) => {
      const to = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports })
      const message = new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash,
        instructions: [to],
      })
      const transaction = new VersionedTransaction(message.compileToV0Message())
      transaction.sign([payer])
      return transaction.serialize()
    }
    const [early, late, tooLate] = [build(1, blockhash), build(2, blockhash), build(3, blockhash)]
    expect(ledger.send(early).err).toBeNull()
    for (let i = 1; i < 150; i++)
      expect(ledger.send(build(10 + i, ledger.latestBlockhash().blockhash)).err).toBeNull()
    expect(ledger.blockHeight()).toBe(lastValidBlockHeight)
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true)
    // Only the record of known transactions prevents a second execution.
    expect(ledger.send(early).err).toBe('AlreadyProcessed')
    expect(ledger.simulate(early, { signatures: true, blockhash: true }).err).toBe('AlreadyProcessed')
    await expect(connection.sendRawTransaction(early)).rejects.toThrow(/already been processed/)
    expect(ledger.send(late).err).toBeNull()
    expect(ledger.blockHeight()).toBe(lastValidBlockHeight + 1)
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(false)
    expect(ledger.send(tooLate).err).toBe('BlockhashNotFound')
    await expect(connection.sendRawTransaction(early)).rejects.toThrow(/Blockhash not found/)
    await aged.stop()
  })

  test('accepts a transaction with a durable nonce', async () => {
    const aged = await startSolana({ slotMs: Number.POSITIVE_INFINITY })
    const connection = new Connection(aged.rpcUrl, 'confirmed')
    const payer = keypairOf(aged.createTestAccount({ sol: 1_000_000_000n }))
    const nonce = Keypair.generate()
    const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH)
    const create = SystemProgram.createNonceAccount({
      fromPubkey: payer.publicKey,
      noncePubkey: nonce.publicKey,
      authorizedPubkey: payer.publicKey,
      lamports,
    })
    await sendAndConfirmTransaction(connection, new Transaction().add(create), [payer, nonce])
    aged.expireBlockhash()
    const account = await connection.getNonce(nonce.publicKey)
    const advance = SystemProgram.nonceAdvance({
      noncePubkey: nonce.publicKey,
      authorizedPubkey: payer.publicKey,
    })
    const transaction = new VersionedTransaction(
      new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: account?.nonce ?? '',
        instructions: [advance],
      }).compileToV0Message(),
    )
    transaction.sign([payer])
    await connection.sendTransaction(transaction)
    expect((await connection.getNonce(nonce.publicKey))?.nonce).not.toBe(account?.nonce)
    await aged.stop()
  })

  test('never includes a sign-in transaction', async () => {
    const customer = solana.createTestAccount({ sol: 1_000_000_000n })
    const { transaction = '' } = await solanaAuth({ environment: 'sandbox' }).createChallenge({
      blockchain: 'solana',
      wallet: customer.address,
      domain: 'pay.example',
      uri: 'https://pay.example',
      nonce: '0123456789abcdef',
      issuedAt: new Date(),
      expiresAt: new Date(Date.now() + 1000),
    })
    const read = Transaction.from(parseBase58(transaction, { field: 'transaction' }))
    read.sign(keypairOf(customer))
    await expect(connection.sendRawTransaction(read.serialize())).rejects.toThrow(/Blockhash not found/)
    await expect(
      connection.sendRawTransaction(read.serialize(), { skipPreflight: true }),
    ).resolves.toBeDefined()
    expect(await connection.getBalance(new PublicKey(customer.address))).toBe(1_000_000_000)
  })

  test('also runs Token-2022', async () => {
    const payer = keypairOf(sponsor)
    const mint = Keypair.generate()
    await sendAndConfirmTransaction(
      connection,
      new Transaction().add(
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: mint.publicKey,
          lamports: await connection.getMinimumBalanceForRentExemption(82),
          space: 82,
          programId: TOKEN_2022_PROGRAM_ID,
        }),
        createInitializeMint2Instruction(mint.publicKey, 6, payer.publicKey, null, TOKEN_2022_PROGRAM_ID),
        new TransactionInstruction({
          programId: new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'),
          keys: [],
          data: Buffer.from('memo'),
        }),
      ),
      [payer, mint],
    )
    expect((await getMint(connection, mint.publicKey, 'confirmed', TOKEN_2022_PROGRAM_ID)).decimals).toBe(6)
  })

  test('returns an error for invalid input', async () => {
    const post = async (body: string, method = 'POST') => {
      const response = await fetch(solana.rpcUrl, method === 'POST' ? { method, body } : { method })
      return { status: response.status, body: await response.text() }
    }
    for (const [body, code] of [
      ['', -32700],
      ['{', -32700],
      ['7', -32601],
      ['null', -32601],
      ['{"method":"toString"}', -32601],
      ['{"method":"getBalance","params":{}}', -32602],
      ['{"method":"getBalance","params":[]}', -32602],
      ['{"method":"getBalance","params":["x"]}', -32602],
      ['{"method":"sendTransaction","params":["0"]}', -32602],
      ['{"method":"getMinimumBalanceForRentExemption","params":[-1]}', -32602],
      ['{"method":"getFeeForMessage","params":["AA"]}', -32602],
      ['{"method":"getMultipleAccounts","params":["x"]}', -32602],
      ['{"method":"requestAirdrop","params":["4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",0.5]}', -32602],
    ] as const)
      expect(JSON.parse((await post(body)).body).error?.code, body).toBe(code)
    expect(
      JSON.parse((await post('[{"id":1,"method":"getHealth"},{"id":2,"method":"nothing"}]')).body),
    ).toMatchObject([
      { id: 1, result: 'ok' },
      { id: 2, error: { code: -32601 } },
    ])
    expect((await post('', 'GET')).status).toBe(405)
    await expect(
      openConnection(solana.rpcUrl).getAccountInfo({ toBase58: () => 'x' } as never),
    ).rejects.toMatchObject({
      name: 'SolanaRpcError',
    })
  })

  test('reports a taken port', async () => {
    const port = Number(new URL(solana.rpcUrl).port)
    await expect(startSolana({ port })).rejects.toMatchObject({ name: 'SolanaStartError', field: 'port' })
  })
})
