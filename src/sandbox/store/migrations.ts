// Made from migrations/*.sql by bundleMigrations.ts. Not edited by hand.

// biome-ignore format: generated
export const migrations: readonly { name: string; statements: readonly string[] }[] = [
  {
    name: "0000_first",
    statements: [
      "CREATE TABLE \"auth_challenges\" (\n\t\"nonce\" text PRIMARY KEY NOT NULL,\n\t\"blockchain\" text NOT NULL,\n\t\"wallet\" text NOT NULL,\n\t\"message\" text NOT NULL,\n\t\"transaction\" text,\n\t\"issued_at\" timestamp with time zone NOT NULL,\n\t\"expires_at\" timestamp with time zone NOT NULL,\n\t\"credential_hash\" text\n);",
      "CREATE TABLE \"bridge_messages\" (\n\t\"source_chain_id\" integer NOT NULL,\n\t\"message_id\" text NOT NULL,\n\t\"wallet\" text NOT NULL,\n\t\"nonce\" text NOT NULL,\n\t\"destination_chain_id\" integer NOT NULL,\n\t\"delivery\" text NOT NULL,\n\t\"status\" text NOT NULL,\n\t\"hash\" text,\n\t\"created_at\" timestamp with time zone NOT NULL,\n\tCONSTRAINT \"bridge_messages_source_chain_id_message_id_pk\" PRIMARY KEY(\"source_chain_id\",\"message_id\")\n);",
      "CREATE TABLE \"deployments\" (\n\t\"blockchain\" text PRIMARY KEY NOT NULL,\n\t\"chain_id\" integer NOT NULL,\n\t\"credits_contract\" text NOT NULL\n);",
      "CREATE TABLE \"intents\" (\n\t\"blockchain\" text NOT NULL,\n\t\"wallet\" text NOT NULL,\n\t\"nonce\" text NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"salt\" text NOT NULL,\n\t\"settlement_hash\" text NOT NULL,\n\t\"amount\" numeric(78,0) NOT NULL,\n\t\"usdc_amount\" numeric(78,0) NOT NULL,\n\t\"gas_needed\" numeric(78,0),\n\t\"block_number\" numeric(78,0) NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL,\n\tCONSTRAINT \"intents_blockchain_wallet_nonce_pk\" PRIMARY KEY(\"blockchain\",\"wallet\",\"nonce\")\n);",
      "CREATE TABLE \"jobs\" (\n\t\"job_id\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"type\" text NOT NULL,\n\t\"blockchain\" text NOT NULL,\n\t\"wallet\" text NOT NULL,\n\t\"amount\" numeric(78,0) NOT NULL,\n\t\"idempotency_key\" text,\n\t\"status\" text NOT NULL,\n\t\"value\" text,\n\t\"error\" text,\n\t\"created_at\" timestamp with time zone NOT NULL,\n\tCONSTRAINT \"jobs_idempotency\" UNIQUE(\"merchant_id\",\"type\",\"idempotency_key\")\n);",
      "CREATE TABLE \"lanes\" (\n\t\"chain_id\" integer NOT NULL,\n\t\"sender\" text NOT NULL,\n\t\"next_nonce\" integer NOT NULL,\n\tCONSTRAINT \"lanes_chain_id_sender_pk\" PRIMARY KEY(\"chain_id\",\"sender\")\n);",
      "CREATE TABLE \"merchants\" (\n\t\"merchant_id\" text PRIMARY KEY NOT NULL,\n\t\"credit_seed\" text NOT NULL,\n\t\"api_key_hash\" text NOT NULL,\n\tCONSTRAINT \"merchants_credit_seed_unique\" UNIQUE(\"credit_seed\"),\n\tCONSTRAINT \"merchants_api_key_hash_unique\" UNIQUE(\"api_key_hash\")\n);",
      "CREATE TABLE \"programs\" (\n\t\"merchant_id\" text NOT NULL,\n\t\"blockchain\" text NOT NULL,\n\t\"program_id\" text NOT NULL,\n\t\"selector\" text NOT NULL,\n\t\"status\" text NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL,\n\tCONSTRAINT \"programs_merchant_id_blockchain_program_id_selector_pk\" PRIMARY KEY(\"merchant_id\",\"blockchain\",\"program_id\",\"selector\")\n);",
      "CREATE TABLE \"redeems\" (\n\t\"blockchain\" text NOT NULL,\n\t\"wallet\" text NOT NULL,\n\t\"nonce\" text NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"kind\" text NOT NULL,\n\t\"amount\" numeric(78,0) NOT NULL,\n\t\"usdc_amount\" numeric(78,0) NOT NULL,\n\t\"gas_fee\" numeric(78,0) NOT NULL,\n\t\"status\" text NOT NULL,\n\t\"attempt\" integer NOT NULL,\n\t\"hash\" text NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL,\n\t\"updated_at\" timestamp with time zone NOT NULL,\n\tCONSTRAINT \"redeems_blockchain_wallet_nonce_pk\" PRIMARY KEY(\"blockchain\",\"wallet\",\"nonce\")\n);",
      "CREATE TABLE \"session_keys\" (\n\t\"key_hash\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"user_id\" text,\n\t\"wallet\" text,\n\t\"blockchain\" text,\n\t\"expires_at\" timestamp with time zone NOT NULL\n);",
      "CREATE TABLE \"transactions\" (\n\t\"id\" serial PRIMARY KEY NOT NULL,\n\t\"reference\" text NOT NULL,\n\t\"chain_id\" integer NOT NULL,\n\t\"sender\" text NOT NULL,\n\t\"nonce\" integer NOT NULL,\n\t\"hash\" text NOT NULL,\n\t\"raw\" text NOT NULL,\n\t\"status\" text NOT NULL,\n\t\"block_number\" integer,\n\t\"gas_used\" numeric(78,0),\n\t\"created_at\" timestamp with time zone NOT NULL,\n\t\"updated_at\" timestamp with time zone NOT NULL,\n\tCONSTRAINT \"transactions_reference_unique\" UNIQUE(\"reference\")\n);",
      "CREATE INDEX \"auth_challenges_by_wallet\" ON \"auth_challenges\" USING btree (\"blockchain\",\"wallet\",\"issued_at\");",
      "CREATE UNIQUE INDEX \"transactions_one_per_nonce\" ON \"transactions\" USING btree (\"chain_id\",\"sender\",\"nonce\") WHERE status <> 'dropped';",
      "CREATE INDEX \"transactions_unfinished\" ON \"transactions\" USING btree (\"status\");",
    ],
  },
  {
    name: "0001_usdc_transfers",
    statements: [
      "CREATE TABLE \"usdc_transfers\" (\n\t\"id\" text PRIMARY KEY NOT NULL,\n\t\"blockchain\" text NOT NULL,\n\t\"wallet\" text NOT NULL,\n\t\"destination\" text NOT NULL,\n\t\"amount\" numeric(78,0) NOT NULL,\n\t\"payment_id\" text,\n\t\"sponsor\" text NOT NULL,\n\t\"prepared\" text NOT NULL,\n\t\"status\" text NOT NULL,\n\t\"raw\" text,\n\t\"hash\" text,\n\t\"error\" text,\n\t\"expires_at\" timestamp with time zone NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL\n);",
      "CREATE UNIQUE INDEX \"usdc_transfers_one_per_payment\" ON \"usdc_transfers\" USING btree (\"blockchain\",\"wallet\",\"payment_id\") WHERE status in ('journalled', 'settled');",
      "CREATE UNIQUE INDEX \"usdc_transfers_one_per_hash\" ON \"usdc_transfers\" USING btree (\"blockchain\",\"hash\");",
      "CREATE INDEX \"usdc_transfers_by_sponsor\" ON \"usdc_transfers\" USING btree (\"blockchain\",\"sponsor\",\"status\");",
    ],
  },
  {
    name: "0002_challenge_origin",
    statements: [
      "ALTER TABLE \"auth_challenges\" ADD COLUMN \"origin\" text;",
    ],
  },
  {
    name: "0003_typed_references",
    statements: [
      "ALTER TABLE \"transactions\" ALTER COLUMN \"reference\" SET DATA TYPE jsonb USING CASE split_part(\"reference\", '/', 1)\n\tWHEN 'redeem' THEN jsonb_build_object('kind', 'redeem', 'blockchain', split_part(\"reference\", '/', 2), 'wallet', split_part(\"reference\", '/', 3), 'nonce', split_part(\"reference\", '/', 4), 'attempt', split_part(\"reference\", '/', 5)::integer)\n\tWHEN 'bridge' THEN jsonb_build_object('kind', 'bridge', 'sourceChainId', split_part(\"reference\", '/', 2)::bigint, 'messageId', split_part(\"reference\", '/', 3), 'attempt', split_part(\"reference\", '/', 4)::integer)\n\tWHEN 'mint' THEN jsonb_build_object('kind', 'mint', 'jobId', split_part(\"reference\", '/', 2), 'attempt', split_part(\"reference\", '/', 3)::integer)\n\tWHEN 'deploy' THEN jsonb_build_object('kind', 'deploy', 'blockchain', split_part(\"reference\", '/', 2), 'wallet', split_part(\"reference\", '/', 3), 'attempt', split_part(\"reference\", '/', 4)::integer)\n\tWHEN 'whitelist' THEN jsonb_build_object('kind', 'whitelist', 'id', split_part(\"reference\", '/', 2))\n\tWHEN 'gone' THEN jsonb_build_object('kind', 'gone', 'id', split_part(\"reference\", '/', 2)::integer, 'was', regexp_replace(\"reference\", '^gone/[0-9]+/', ''))\n\t-- Text that no version wrote: the cast fails and names it, and the database stays as it is.\n\tELSE \"reference\"::jsonb\nEND;",
      "ALTER TABLE \"usdc_transfers\" ADD COLUMN \"pays_rent\" boolean DEFAULT false NOT NULL;",
      "UPDATE \"usdc_transfers\" SET \"pays_rent\" = true WHERE \"blockchain\" = 'solana' AND \"prepared\" NOT LIKE '%\"rent\":{\"lamports\":\"0\"}%';",
    ],
  },
  {
    name: "0004_whole_service",
    statements: [
      "CREATE TABLE \"api_keys\" (\n\t\"key_id\" text PRIMARY KEY NOT NULL,\n\t\"key_hash\" text NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"scope\" text,\n\t\"ips\" jsonb NOT NULL,\n\t\"disabled\" boolean NOT NULL\n);",
      "CREATE TABLE \"card_challenges\" (\n\t\"transaction_id\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"payment_id\" text NOT NULL,\n\t\"purchase_hash\" text NOT NULL,\n\t\"status\" text NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL\n);",
      "CREATE TABLE \"card_tokens\" (\n\t\"token\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"first_six\" text NOT NULL,\n\t\"last_four\" text NOT NULL,\n\t\"exp_month\" integer NOT NULL,\n\t\"exp_year\" integer NOT NULL,\n\t\"behaviour\" text NOT NULL,\n\t\"reference_number\" text NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL\n);",
      "CREATE TABLE \"cards_on_file\" (\n\t\"card_id\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"user_id\" text,\n\t\"wallet\" text,\n\t\"blockchain\" text,\n\t\"card_token\" text NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL\n);",
      "CREATE TABLE \"chargeback_responses\" (\n\t\"id\" serial PRIMARY KEY NOT NULL,\n\t\"payment_id\" text NOT NULL,\n\t\"response\" text,\n\t\"file_key\" text,\n\t\"created_at\" timestamp with time zone NOT NULL\n);",
      "CREATE TABLE \"evidence_files\" (\n\t\"file_key\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"name\" text NOT NULL,\n\t\"content\" text NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL\n);",
      "CREATE TABLE \"payment_moves\" (\n\t\"id\" serial PRIMARY KEY NOT NULL,\n\t\"payment_id\" text NOT NULL,\n\t\"from_status\" text,\n\t\"to_status\" text NOT NULL,\n\t\"reason\" text,\n\t\"at\" timestamp with time zone NOT NULL\n);",
      "CREATE TABLE \"payments\" (\n\t\"payment_id\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"user_id\" text,\n\t\"wallet\" text,\n\t\"blockchain\" text,\n\t\"rail\" text NOT NULL,\n\t\"status\" text NOT NULL,\n\t\"subtotal_cents\" bigint NOT NULL,\n\t\"currency\" text NOT NULL,\n\t\"usd_cents\" bigint NOT NULL,\n\t\"charged_currency\" text NOT NULL,\n\t\"total_cents\" bigint NOT NULL,\n\t\"charged_cents\" bigint NOT NULL,\n\t\"totals\" jsonb NOT NULL,\n\t\"carried\" jsonb NOT NULL,\n\t\"auth_only\" boolean DEFAULT false NOT NULL,\n\t\"email\" text,\n\t\"customer_info\" jsonb,\n\t\"webhook_info\" jsonb,\n\t\"card_token\" text,\n\t\"rail_reference\" text,\n\t\"subscription_id\" text,\n\t\"refunded_cents\" bigint DEFAULT 0 NOT NULL,\n\t\"hash\" text,\n\t\"error\" text,\n\t\"expires_at\" timestamp with time zone,\n\t\"created_at\" timestamp with time zone NOT NULL,\n\t\"updated_at\" timestamp with time zone NOT NULL\n);",
      "CREATE TABLE \"refunds\" (\n\t\"refund_id\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"payment_id\" text NOT NULL,\n\t\"cents\" bigint NOT NULL,\n\t\"reason\" text,\n\t\"idempotency_key\" text,\n\t\"created_at\" timestamp with time zone NOT NULL,\n\tCONSTRAINT \"refunds_idempotency\" UNIQUE(\"merchant_id\",\"idempotency_key\")\n);",
      "CREATE TABLE \"sandbox_clock\" (\n\t\"name\" text PRIMARY KEY NOT NULL,\n\t\"offset_ms\" bigint NOT NULL\n);",
      "CREATE TABLE \"webhook_events\" (\n\t\"id\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"type\" text NOT NULL,\n\t\"data\" jsonb NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL\n);",
      "CREATE TABLE \"wire_accounts\" (\n\t\"token\" text PRIMARY KEY NOT NULL,\n\t\"merchant_id\" text NOT NULL,\n\t\"routing_number\" text NOT NULL,\n\t\"last_four\" text NOT NULL,\n\t\"created_at\" timestamp with time zone NOT NULL\n);",
      "ALTER TABLE \"merchants\" DROP CONSTRAINT \"merchants_api_key_hash_unique\";",
      "ALTER TABLE \"merchants\" ADD COLUMN \"jwt_secret\" text DEFAULT replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') NOT NULL;",
      "ALTER TABLE \"merchants\" ADD COLUMN \"enforce_checkout_jwt\" boolean DEFAULT false NOT NULL;",
      "ALTER TABLE \"merchants\" ADD COLUMN \"settings\" jsonb DEFAULT '{}'::jsonb NOT NULL;",
      "ALTER TABLE \"transactions\" ADD COLUMN \"replaced\" jsonb DEFAULT '[]'::jsonb NOT NULL;",
      "CREATE INDEX \"cards_on_file_by_customer\" ON \"cards_on_file\" USING btree (\"merchant_id\",\"user_id\",\"wallet\");",
      "CREATE INDEX \"chargeback_responses_by_payment\" ON \"chargeback_responses\" USING btree (\"payment_id\",\"id\");",
      "CREATE INDEX \"payment_moves_by_payment\" ON \"payment_moves\" USING btree (\"payment_id\",\"id\");",
      "CREATE INDEX \"payments_by_merchant\" ON \"payments\" USING btree (\"merchant_id\",\"created_at\");",
      "CREATE INDEX \"payments_by_customer\" ON \"payments\" USING btree (\"merchant_id\",\"user_id\",\"wallet\");",
      "CREATE INDEX \"payments_by_status\" ON \"payments\" USING btree (\"status\",\"expires_at\");",
      "CREATE INDEX \"refunds_by_payment\" ON \"refunds\" USING btree (\"payment_id\");",
      "CREATE INDEX \"webhook_events_by_merchant\" ON \"webhook_events\" USING btree (\"merchant_id\",\"created_at\");",
      "CREATE INDEX \"redeems_open\" ON \"redeems\" USING btree (\"blockchain\",\"wallet\") WHERE status in ('sending', 'alone');",
      "ALTER TABLE \"merchants\" DROP COLUMN \"api_key_hash\";",
    ],
  },
]
