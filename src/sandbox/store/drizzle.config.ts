import { defineConfig } from 'drizzle-kit'

// npx drizzle-kit generate --config src/sandbox/store/drizzle.config.ts
export default defineConfig({
  dialect: 'postgresql',
  schema: 'src/sandbox/store/tables/index.ts',
  out: 'src/sandbox/store/migrations',
})
