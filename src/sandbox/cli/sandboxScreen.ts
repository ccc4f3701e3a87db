import { styleText } from 'node:util'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { jsonText } from '../../redeemkit/core/parseJson.ts'
import type { RequestLogEntry } from '../requestLog.ts'
import type { RunningSandbox } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { printWarning } from './printError.ts'
import { deployer } from './sandboxSettings.ts'

/** The keys shown are public and hold no real funds. */
export function sandboxScreen(running: RunningSandbox<ServiceKind>): string {
  const { accounts, chains, merchants, solana, stellar, tempo } = running
  return [
    title('The payments service is running on this machine.'),
    line('service', running.url),
    line('dashboard', `${running.url}/dashboard`),
    line('API reference', `${running.url}/reference`),
    ...(running.service === 'randomNonce' ? [line('permits', 'random nonces: pin intentBound: false')] : []),
    line('header prefix', running.headerPrefix),
    ...merchants.flatMap(({ merchantId, creditSeed, apiKey, jwtSecret }, at) => [
      at === 0 ? line('merchant id', merchantId) : title(`merchant ${merchantId}`),
      line('credit seed', creditSeed),
      line('API key', apiKey),
      line('JWT secret', jwtSecret),
    ]),
    ...Object.values(chains).flatMap(({ blockchain, chainId, forked, rpcUrl, creditsContract, usdc }) => [
      title(`${blockchain}, chain ${chainId}${forked ? `, forked at block ${forked.blockNumber}` : ''}`),
      line('JSON-RPC', rpcUrl),
      line('credits contract', creditsContract),
      line('USDC', usdc),
    ]),
    ...(solana
      ? [
          title('solana, devnet'),
          line('JSON-RPC', solana.rpcUrl),
          line('USDC mint', solana.usdcMint),
          ...Object.entries(solana.accounts).map(([name, { address, secretKey }]) =>
            account(name, address, Buffer.from(secretKey).toString('hex')),
          ),
        ]
      : []),
    ...(stellar
      ? [
          title('stellar, testnet (a simulated ledger)'),
          line('RPC', stellar.rpcUrl),
          line('USDC', `${stellar.usdc.code}:${stellar.usdc.issuer}`),
          ...Object.entries(stellar.accounts).map(([name, { address, secretKey }]) =>
            account(name, address, secretKey),
          ),
        ]
      : []),
    ...(tempo
      ? [
          title(`tempo, chain ${tempo.chainId}: credits only`),
          line('JSON-RPC', tempo.rpcUrl),
          line('credits contract', tempo.creditsContract),
          line('pathUSD', tempo.token),
          account('customer', tempo.accounts.key.address, tempo.accounts.key.privateKey),
        ]
      : []),
    title('Test accounts, each with 1000 dollars of credits and 1000 USDC (their keys are public)'),
    ...Object.values(accounts).map(({ name, address, privateKey }) => account(name, address, privateKey)),
    title('Deployer for your contracts, with native coin for gas (its key is public)'),
    account('deployer', deployer.account.address, deployer.privateKey),
    `\nPress Ctrl+C to stop.`,
  ].join('\n')
}

const title = (text: string) => `\n${styleText('bold', text)}`
const line = (name: string, value: string) => `  ${name.padEnd(16)} ${value}`
const account = (name: string, address: string, key: string) =>
  `${line(name, address)}\n${line('', styleText('dim', key))}`

/** Adds the reason of an internal error, which the response lacks. A repeated error of background work is printed once. */
export function printRequests(options: { json?: boolean | undefined }): {
  onError: (error: unknown, request?: { requestId: string }) => void
  onLog: (entry: RequestLogEntry) => void
} {
  const reasons = new Map<string, string>()
  const printed = new Set<string>()
  return {
    onError: (error, request) => {
      const reason = error instanceof BaseError ? `${error.name}: ${error.shortMessage}` : 'An unknown error.'
      if (request !== undefined) {
        // The service does not log the dashboard's requests, so their reasons would accumulate.
        if (reasons.size >= mostReasons) reasons.clear()
        reasons.set(request.requestId, reason)
      } else if (!printed.has(reason)) {
        printed.add(reason)
        printWarning(reason)
      }
    },
    onLog: (entry) => {
      const reason = entry.status < 500 ? undefined : reasons.get(entry.id)
      reasons.delete(entry.id)
      console.error(options.json ? jsonText({ request: entry, reason }) : logLine(entry, reason))
    },
  }
}

const mostReasons = 100

function logLine(entry: RequestLogEntry, reason: string | undefined): string {
  const { time, method, route, status, ms, merchantId, code, id } = entry
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const line = [
    styleText('dim', time.slice(11, 19)),
    styleText(colour, String(status)),
    `${method} ${route ?? '(unknown path)'}`,
    styleText('dim', `${Math.round(ms)} ms`),
    ...(merchantId === undefined ? [] : [merchantId]),
    ...(code === undefined ? [] : [styleText(colour, code), styleText('dim', id)]),
    ...(reason === undefined ? [] : [`(${reason})`]),
  ]
  return `  ${line.join(' ')}`
}
