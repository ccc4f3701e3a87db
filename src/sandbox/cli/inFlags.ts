/** A field of an error in the words of the command line: `forkUrl` is `--fork-url` there. */
export function fieldInFlags(field: string, words: readonly string[] = process.argv): string {
  return { ...flagsBeside(words), ...fieldFlags }[field] ?? field
}

/** A sentence in the words of the command line. */
export function textInFlags(text: string, words: readonly string[] = process.argv): string {
  const flags = flagsBeside(words)
  return text.replace(/"?\b([a-z]+[A-Z]\w*)\b"?/g, (all, name: string) => flags[name] ?? all)
}

/** Names that stand in a sentence for nothing but the option. */
function flagsBeside(words: readonly string[]): Readonly<Record<string, string>> {
  return {
    forkUrl: '--fork-url',
    forkBlockNumber: '--fork-block',
    databaseUrl: '--database-url',
    headerPrefix: '--header-prefix',
    allowedOrigins: '--allow-origin',
    baseUrl: '--url',
    // Where --data is call data, the folder has another name.
    dataDir: ['sandbox', 'doctor'].includes(words[2] ?? '') ? '--data' : '--data-dir',
  }
}

/** A contract's own values may have these names. */
const fieldFlags: Readonly<Record<string, string>> = {
  port: '--port',
  merchants: '--merchants',
  merchantId: '--merchant-id',
  creditSeed: '--credit-seed',
  apiKey: '--api-key',
  usdcAmount: '--usdc',
  nftId: '--nft-id',
  functionName: '--sig',
}
