import { styleText } from 'node:util'
import type { RunningSandbox } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'
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
