import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Account, Keypair, Operation, StrKey, TransactionBuilder } from '../../../redeemkit/stellar/sdk.ts'
import { findRefusal } from '../../servers/findRefusal.ts'
import { answerRpc, RpcError } from './answerRpc.ts'
import { accountLedgerKey } from './entries/ledgerKeys.ts'
import { createLedger, type Ledger } from './ledger/createLedger.ts'

const maxBodyBytes = 1_000_000

/**
 * Starts a simulated Stellar ledger on 127.0.0.1 for the SDK's `new rpc.Server(rpcUrl, { allowHttp: true })`. Every
 * response has the header `x-simulation`. Nothing is persisted.
 */
export async function startStellar(options: startStellar.Options = {}): Promise<startStellar.ReturnType> {
  const ledger = createLedger(options)
  const server = createServer((request, response) => {
    const { host, origin } = request.headers
    const refusal = findRefusal({ host, origin }, { origins: options.allowedOrigins })
    if (refusal !== undefined) return send(response, 403, { error: refusal })
    if (origin !== undefined) {
      response.setHeader('access-control-allow-origin', origin)
      response.setHeader('access-control-allow-headers', '*')
      response.setHeader('vary', 'origin')
    }
    answer(ledger, url, request, response).catch(() => send(response, 500, { error: 'internal error' }))
  })
  let url = ''
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : options.port}`
  return {
    rpcUrl: url,
    networkPassphrase: ledger.networkPassphrase,
    isSimulation: true,
    fund: ledger.fund,
    declareContract: ledger.declareContract,
    balanceOf: ledger.balanceOf,
    closeLedgers: ledger.closeLedgers,
    ledger,
    async stop() {
      ledger.stop()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export declare namespace startStellar {
  type Options = createLedger.Options & {
    /** Default: a free port. */
    port?: number | undefined
    /** Origins that may call in addition to local pages. */
    allowedOrigins?: readonly string[] | undefined
  }
  type ReturnType = Pick<Ledger, 'fund' | 'declareContract' | 'balanceOf' | 'closeLedgers'> & {
    rpcUrl: string
    networkPassphrase: string
    isSimulation: true
    ledger: Ledger
    stop: () => Promise<void>
  }
}

async function answer(
  ledger: Ledger,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', url)
  if (request.method === 'OPTIONS') return send(response, 204, undefined)
  const body = await readBody(request)
  if (body === undefined) return send(response, 413, { error: 'body too large' })
  if (pathname === '/friendbot') {
    const answered = await friendbot(ledger, searchParams.get('addr') ?? '')
    return send(response, answered.status, answered.body)
  }
  if (request.method !== 'POST')
    return send(response, 200, {
      simulation: true,
      note: "redeemkit's simulated Stellar ledger. POST JSON-RPC requests here.",
    })

  let call: { id?: unknown; method?: unknown; params?: unknown }
  try {
    call = Object(JSON.parse(body))
  } catch {
    return send(response, 200, {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'The body is not JSON.' },
    })
  }
  const envelope = { jsonrpc: '2.0', id: call.id ?? null }
  try {
    if (typeof call.method !== 'string') throw new RpcError(-32600, 'The request has no method.')
    const result = answerRpc(ledger, call.method, Object(call.params ?? {}), url)
    return send(response, 200, { ...envelope, result })
  } catch (error) {
    const code = error instanceof RpcError ? error.code : -32603
    const message = error instanceof RpcError ? error.message : 'The simulation failed unexpectedly.'
    return send(response, 200, { ...envelope, error: { code, message } })
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-simulation': 'redeemkit',
  })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

/** XLM of a created account, and the stroops its payer needs for that. */
const givenXlm = '10000'
const payerStroops = 110_000_000_000n

/** Creates an account with a transaction, as the test network's friendbot does. Answers once it is applied. */
async function friendbot(ledger: Ledger, address: string): Promise<{ status: number; body: object }> {
  const refuse = (detail: string) => ({ status: 400, body: { detail, simulation: true } })
  if (!StrKey.isValidEd25519PublicKey(address)) return refuse('The parameter addr is not an address.')
  if (ledger.readEntry(accountLedgerKey(address)) !== undefined) return refuse('createAccountAlreadyExist')
  // A new payer each time, because an account has at most one pending transaction.
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
    status: isSuccessful ? 200 : 400,
    body: {
      hash,
      successful: isSuccessful,
      envelope_xdr: envelopeXdr,
      result_xdr: resultXdr,
      result_meta_xdr: resultMetaXdr,
    },
  }
}
