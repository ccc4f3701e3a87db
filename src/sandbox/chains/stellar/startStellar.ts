import { Hono } from 'hono'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { Account, Keypair, Operation, StrKey, TransactionBuilder } from '../../../redeemkit/stellar/sdk.ts'
import { onlyLocal } from '../../servers/findRefusal.ts'
import { listen } from '../../servers/listen.ts'
import { answerRpc, RpcError } from './answerRpc.ts'
import { createLedger, type Ledger } from './ledger/createLedger.ts'
import { accountLedgerKey } from './ledger/state.ts'

/**
 * Starts a simulated Stellar ledger and its RPC server, for the SDK's `new rpc.Server(rpcUrl, { allowHttp: true })`. Responses have the
 * header `x-simulation`. Nothing is persisted.
 */
export async function startStellar(options: startStellar.Options = {}): Promise<startStellar.ReturnType> {
  const ledger = createLedger(options)
  const app = stellarApp(ledger, options.allowedOrigins)
  const { url, close } = await listen({ fetch: app.fetch, port: options.port ?? 0 })
  return {
    ...ledger,
    rpcUrl: url,
    isSimulation: true,
    ledger,
    async stop() {
      ledger.stop()
      await close()
    },
  }
}

export declare namespace startStellar {
  type Options = createLedger.Options & {
    port?: number | undefined
    /** Origins that may call in addition to local pages. */
    allowedOrigins?: readonly string[] | undefined
  }
  type ReturnType = Omit<Ledger, 'stop'> & {
    rpcUrl: string
    isSimulation: true
    ledger: Ledger
    stop: () => Promise<void>
  }
}

/** JSON-RPC for POST requests, and the friendbot of the test network. */
function stellarApp(ledger: Ledger, origins: startStellar.Options['allowedOrigins']): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    context.header('x-simulation', 'redeemkit')
  })
  app.use(onlyLocal({ origins }))
  app.all('/friendbot', async (context) => {
    const { isCreated, body } = await friendbot(ledger, context.req.query('addr') ?? '')
    return context.json(body, isCreated ? 200 : 400)
  })
  app.post('*', async (context) => {
    const url = new URL(context.req.url).origin
    return context.json(answerCall(ledger, await context.req.text(), url))
  })
  app.all('*', (context) =>
    context.json({
      simulation: true,
      note: "redeemkit's simulated Stellar ledger. POST JSON-RPC requests here.",
    }),
  )
  app.onError((_, context) => context.json({ error: 'internal error' }, 500))
  return app
}

function answerCall(ledger: Ledger, text: string, url: string): object {
  const call = attempt((): { id?: unknown; method?: unknown; params?: unknown } => Object(JSON.parse(text)))
  if (call === undefined)
    return { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The body is not JSON.' } }
  const envelope = { jsonrpc: '2.0', id: call.id ?? null }
  try {
    if (typeof call.method !== 'string') throw new RpcError(-32600, 'The request has no method.')
    return { ...envelope, result: answerRpc(ledger, call.method, Object(call.params ?? {}), url) }
  } catch (error) {
    const code = error instanceof RpcError ? error.code : -32603
    const message = error instanceof RpcError ? error.message : 'The simulation failed unexpectedly.'
    return { ...envelope, error: { code, message } }
  }
}

/** XLM that friendbot gives a new account, and the stroops that the paying account needs. */
const givenXlm = '10000'
const payerStroops = 110_000_000_000n

/** Works like the test network's friendbot. Responds once the transaction is applied. */
async function friendbot(ledger: Ledger, address: string): Promise<{ isCreated: boolean; body: object }> {
  const refuse = (detail: string) => ({ isCreated: false, body: { detail, simulation: true } })
  if (!StrKey.isValidEd25519PublicKey(address)) return refuse('The parameter addr is not an address.')
  if (ledger.readEntry(accountLedgerKey(address)) !== undefined) return refuse('createAccountAlreadyExist')
  // Each request uses a new payer, because an account can have only one pending transaction.
  const payer = Keypair.random()
  ledger.fund({ address: payer.publicKey(), xlm: payerStroops })
  const entry = ledger.readEntry(accountLedgerKey(payer.publicKey()))?.entry
  const sequence = entry?.account().seqNum().toString() ?? '0'
  const transaction = new TransactionBuilder(new Account(payer.publicKey(), sequence), {
    fee: '100',
    networkPassphrase: ledger.networkPassphrase,
    timebounds: { minTime: 0, maxTime: 0 },
  })
    .addOperation(Operation.createAccount({ destination: address, startingBalance: givenXlm }))
    .build()
  transaction.sign(payer)
  const { hash } = ledger.submit(transaction.toXDR())
  while (ledger.isPending(hash)) await ledger.nextLedger()
  const applied = ledger.find(hash)
  if (applied === undefined) return refuse('The transaction was not applied.')
  const { envelopeXdr, resultXdr, resultMetaXdr, isSuccessful } = applied
  return {
    isCreated: isSuccessful,
    body: {
      hash,
      successful: isSuccessful,
      envelope_xdr: envelopeXdr,
      result_xdr: resultXdr,
      result_meta_xdr: resultMetaXdr,
    },
  }
}
