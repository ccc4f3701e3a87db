CREATE TABLE "api_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"key_hash" text NOT NULL,
	"merchant_id" text NOT NULL,
	"scope" text,
	"ips" jsonb NOT NULL,
	"disabled" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_challenges" (
	"nonce" text PRIMARY KEY NOT NULL,
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"origin" text,
	"message" text NOT NULL,
	"transaction" text,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"credential_hash" text
);
--> statement-breakpoint
CREATE TABLE "bank_accounts" (
	"token" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"account_hash" text NOT NULL,
	"country" text NOT NULL,
	"last_four" text NOT NULL,
	"bic" text,
	"alias" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bank_accounts_once" UNIQUE("merchant_id","user_id","account_hash")
);
--> statement-breakpoint
CREATE TABLE "bridge_messages" (
	"source_chain_id" integer NOT NULL,
	"message_id" text NOT NULL,
	"wallet" text NOT NULL,
	"nonce" text NOT NULL,
	"destination_chain_id" integer NOT NULL,
	"delivery" text NOT NULL,
	"status" text NOT NULL,
	"source_hash" text NOT NULL,
	"hash" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bridge_messages_source_chain_id_message_id_pk" PRIMARY KEY("source_chain_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "card_challenges" (
	"transaction_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"purchase_hash" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_tokens" (
	"token" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"first_six" text NOT NULL,
	"last_four" text NOT NULL,
	"exp_month" integer NOT NULL,
	"exp_year" integer NOT NULL,
	"behaviour" text NOT NULL,
	"reference_number" text NOT NULL,
	"purchase_id" text,
	"user_id" text,
	"wallet" text,
	"blockchain" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cards_on_file" (
	"card_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text,
	"wallet" text,
	"blockchain" text,
	"card_token" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chargeback_responses" (
	"id" serial PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"response" text,
	"file_key" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deployments" (
	"blockchain" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"credits_contract" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_cursors" (
	"blockchain" text NOT NULL,
	"credits_contract" text NOT NULL,
	"start_block" numeric(78,0) NOT NULL,
	"block_number" numeric(78,0) NOT NULL,
	"block_hash" text NOT NULL,
	CONSTRAINT "event_cursors_blockchain_credits_contract_pk" PRIMARY KEY("blockchain","credits_contract")
);
--> statement-breakpoint
CREATE TABLE "evidence_files" (
	"file_key" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"name" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "intents" (
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"nonce" text NOT NULL,
	"merchant_id" text NOT NULL,
	"salt" text NOT NULL,
	"purchase_id" text,
	"webhook_info" jsonb,
	"settlement_hash" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"usdc_amount" numeric(78,0) NOT NULL,
	"gas_needed" numeric(78,0),
	"block_number" numeric(78,0) NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "intents_blockchain_wallet_nonce_pk" PRIMARY KEY("blockchain","wallet","nonce")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"job_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"type" text NOT NULL,
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"idempotency_key" text,
	"status" text NOT NULL,
	"value" text,
	"error" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "jobs_idempotency" UNIQUE("merchant_id","type","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "kyc_records" (
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"dob" text,
	"country" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "kyc_records_merchant_id_user_id_pk" PRIMARY KEY("merchant_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"merchant_id" text PRIMARY KEY NOT NULL,
	"credit_seed" text NOT NULL,
	"jwt_secret" text DEFAULT replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') NOT NULL,
	"enforce_checkout_jwt" boolean DEFAULT false NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "merchants_credit_seed_unique" UNIQUE("credit_seed")
);
--> statement-breakpoint
CREATE TABLE "nonce_queues" (
	"chain_id" integer NOT NULL,
	"sender" text NOT NULL,
	"next_nonce" integer NOT NULL,
	CONSTRAINT "nonce_queues_chain_id_sender_pk" PRIMARY KEY("chain_id","sender")
);
--> statement-breakpoint
CREATE TABLE "order_claims" (
	"merchant_id" text NOT NULL,
	"wallet" text NOT NULL,
	"order_key" text NOT NULL,
	"blockchain" text NOT NULL,
	"nonce" text NOT NULL,
	"valid_before" numeric(78,0) NOT NULL,
	"redeemed_in" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "order_claims_merchant_id_wallet_order_key_pk" PRIMARY KEY("merchant_id","wallet","order_key")
);
--> statement-breakpoint
CREATE TABLE "payment_moves" (
	"id" serial PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"reason" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"payment_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text,
	"wallet" text,
	"blockchain" text,
	"device_id" text,
	"rail" text NOT NULL,
	"status" text NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"usd_cents" bigint NOT NULL,
	"charged_currency" text NOT NULL,
	"total_cents" bigint NOT NULL,
	"charged_cents" bigint NOT NULL,
	"totals" jsonb NOT NULL,
	"carried" jsonb NOT NULL,
	"auth_only" boolean DEFAULT false NOT NULL,
	"email" text,
	"customer_info" jsonb,
	"webhook_info" jsonb,
	"card_token" text,
	"rail_reference" text,
	"subscription_id" text,
	"purchase_id" text,
	"purchase_hash" text,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"hash" text,
	"error" text,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pinned_places" (
	"merchant_id" text NOT NULL,
	"customer" text NOT NULL,
	"country" text NOT NULL,
	"state" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pinned_places_merchant_id_customer_pk" PRIMARY KEY("merchant_id","customer")
);
--> statement-breakpoint
CREATE TABLE "proceeds" (
	"payment_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "programs" (
	"merchant_id" text NOT NULL,
	"blockchain" text NOT NULL,
	"program_id" text NOT NULL,
	"selector" text NOT NULL,
	"signature" text,
	"minimum_gas" integer,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "programs_merchant_id_blockchain_program_id_selector_pk" PRIMARY KEY("merchant_id","blockchain","program_id","selector")
);
--> statement-breakpoint
CREATE TABLE "redeemed_events" (
	"blockchain" text NOT NULL,
	"hash" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" numeric(78,0) NOT NULL,
	"merchant_id" text NOT NULL,
	"wallet" text NOT NULL,
	"nonce" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "redeemed_events_blockchain_hash_log_index_pk" PRIMARY KEY("blockchain","hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "redeems" (
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"nonce" text NOT NULL,
	"merchant_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"usdc_amount" numeric(78,0) NOT NULL,
	"gas_fee" numeric(78,0) NOT NULL,
	"status" text NOT NULL,
	"attempt" integer NOT NULL,
	"hash" text NOT NULL,
	"reported" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "redeems_blockchain_wallet_nonce_pk" PRIMARY KEY("blockchain","wallet","nonce")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"refund_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"cents" bigint NOT NULL,
	"asked_cents" bigint,
	"reason" text,
	"idempotency_key" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "refunds_idempotency" UNIQUE("merchant_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "sandbox_clock" (
	"name" text PRIMARY KEY NOT NULL,
	"offset_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seller_withdrawals" (
	"withdrawal_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"blockchain" text NOT NULL,
	"destination" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"status" text NOT NULL,
	"hash" text,
	"error" text,
	"idempotency_key" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "seller_withdrawals_idempotency" UNIQUE("merchant_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "session_keys" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text,
	"wallet" text,
	"blockchain" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stellar_settlements" (
	"payment_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"operator" text NOT NULL,
	"raw" text NOT NULL,
	"hash" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stellar_settlements_payment_id_attempt_pk" PRIMARY KEY("payment_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "subscription_billings" (
	"subscription_id" text NOT NULL,
	"period" integer NOT NULL,
	"payment_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "subscription_billings_subscription_id_period_pk" PRIMARY KEY("subscription_id","period")
);
--> statement-breakpoint
CREATE TABLE "subscription_moves" (
	"id" serial PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"reason" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscription_plans" (
	"plan_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"interval" text NOT NULL,
	"cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"duration" integer,
	"merchant_initiated" boolean NOT NULL,
	"active" boolean NOT NULL,
	"description" text,
	"transaction" text,
	"settlement_chain" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "subscription_plans_by_code" UNIQUE("merchant_id","code")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"subscription_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"plan_id" text NOT NULL,
	"plan_code" text NOT NULL,
	"plan_name" text NOT NULL,
	"interval" text NOT NULL,
	"cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"duration" integer,
	"merchant_initiated" boolean NOT NULL,
	"user_id" text,
	"wallet" text,
	"blockchain" text,
	"email" text,
	"customer_info" jsonb,
	"webhook_info" jsonb,
	"settlement_chain" text,
	"carried" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"card_token" text NOT NULL,
	"status" text NOT NULL,
	"anchor_at" timestamp with time zone NOT NULL,
	"anchor_period" integer NOT NULL,
	"period" integer NOT NULL,
	"refusals" integer NOT NULL,
	"due_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" serial PRIMARY KEY NOT NULL,
	"reference" jsonb NOT NULL,
	"chain_id" integer NOT NULL,
	"sender" text NOT NULL,
	"nonce" integer NOT NULL,
	"hash" text NOT NULL,
	"raw" text NOT NULL,
	"replaced" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text NOT NULL,
	"block_number" integer,
	"gas_used" numeric(78,0),
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "transactions_reference_unique" UNIQUE("reference")
);
--> statement-breakpoint
CREATE TABLE "usdc_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"destination" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"payment_id" text,
	"sponsor" text NOT NULL,
	"prepared" text NOT NULL,
	"pays_rent" boolean DEFAULT false NOT NULL,
	"status" text NOT NULL,
	"raw" text,
	"hash" text,
	"error" text,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_turns" (
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	"turn" bigint NOT NULL,
	CONSTRAINT "wallet_turns_blockchain_wallet_pk" PRIMARY KEY("blockchain","wallet")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"delivery_id" text PRIMARY KEY NOT NULL,
	"event_id" text NOT NULL,
	"merchant_id" text NOT NULL,
	"target" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"last_status" integer,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_once" UNIQUE("event_id","target")
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" serial NOT NULL,
	"merchant_id" text NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"dispatched_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_listeners" (
	"listener_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_listeners_by_name" UNIQUE("merchant_id","name")
);
--> statement-breakpoint
CREATE TABLE "webhook_settings" (
	"merchant_id" text PRIMARY KEY NOT NULL,
	"url" text,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "wire_accounts" (
	"token" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"routing_number" text NOT NULL,
	"last_four" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawer_wallets" (
	"id" serial PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"withdrawer_id" text NOT NULL,
	"blockchain" text NOT NULL,
	"wallet" text NOT NULL,
	CONSTRAINT "withdrawer_wallets_once" UNIQUE("withdrawer_id","blockchain","wallet")
);
--> statement-breakpoint
CREATE TABLE "withdrawers" (
	"withdrawer_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"user_id" text NOT NULL,
	"wallet" text NOT NULL,
	"blockchain" text NOT NULL,
	"email" text NOT NULL,
	"country" text NOT NULL,
	"currency" text NOT NULL,
	"business" boolean NOT NULL,
	"name" text,
	"reference" text NOT NULL,
	"verification" text NOT NULL,
	"vendor" text NOT NULL,
	"rejection_reasons" jsonb NOT NULL,
	"ubos" jsonb NOT NULL,
	"redirect_link" text,
	"availability" text NOT NULL,
	"availability_reason" text NOT NULL,
	"availability_editor" text NOT NULL,
	"availability_at" timestamp with time zone NOT NULL,
	"risk_score_override" boolean NOT NULL,
	"geo_block_override" jsonb,
	"block_card_reuse_exempt" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "withdrawers_reference_unique" UNIQUE("reference"),
	CONSTRAINT "withdrawers_by_user" UNIQUE("merchant_id","user_id")
);
--> statement-breakpoint
CREATE INDEX "auth_challenges_by_wallet" ON "auth_challenges" USING btree ("blockchain","wallet","issued_at");--> statement-breakpoint
CREATE INDEX "bank_accounts_by_account" ON "bank_accounts" USING btree ("merchant_id","account_hash");--> statement-breakpoint
CREATE INDEX "cards_on_file_by_customer" ON "cards_on_file" USING btree ("merchant_id","user_id","wallet");--> statement-breakpoint
CREATE INDEX "chargeback_responses_by_payment" ON "chargeback_responses" USING btree ("payment_id","id");--> statement-breakpoint
CREATE INDEX "payment_moves_by_payment" ON "payment_moves" USING btree ("payment_id","id");--> statement-breakpoint
CREATE INDEX "payments_by_merchant" ON "payments" USING btree ("merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_by_customer" ON "payments" USING btree ("merchant_id","user_id","wallet");--> statement-breakpoint
CREATE INDEX "payments_by_status" ON "payments" USING btree ("status","expires_at");--> statement-breakpoint
CREATE INDEX "payments_by_purchase" ON "payments" USING btree ("merchant_id","purchase_id");--> statement-breakpoint
CREATE INDEX "proceeds_by_merchant" ON "proceeds" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "redeemed_events_by_nonce" ON "redeemed_events" USING btree ("blockchain","wallet","nonce");--> statement-breakpoint
CREATE INDEX "redeems_unreported" ON "redeems" USING btree ("created_at") WHERE reported is distinct from status;--> statement-breakpoint
CREATE INDEX "redeems_open" ON "redeems" USING btree ("blockchain","wallet") WHERE status in ('sending', 'alone');--> statement-breakpoint
CREATE INDEX "refunds_by_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "seller_withdrawals_by_merchant" ON "seller_withdrawals" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "seller_withdrawals_by_status" ON "seller_withdrawals" USING btree ("status");--> statement-breakpoint
CREATE UNIQUE INDEX "stellar_settlements_one_at_a_time" ON "stellar_settlements" USING btree ("operator") WHERE status = 'journalled';--> statement-breakpoint
CREATE INDEX "subscription_moves_by_subscription" ON "subscription_moves" USING btree ("subscription_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_by_plan" ON "subscriptions" USING btree ("plan_id","created_at");--> statement-breakpoint
CREATE INDEX "subscriptions_by_customer" ON "subscriptions" USING btree ("merchant_id","user_id","wallet");--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_one_per_nonce" ON "transactions" USING btree ("chain_id","sender","nonce") WHERE status <> 'dropped';--> statement-breakpoint
CREATE INDEX "transactions_unfinished" ON "transactions" USING btree ("status");--> statement-breakpoint
CREATE UNIQUE INDEX "usdc_transfers_one_per_payment" ON "usdc_transfers" USING btree ("blockchain","wallet","payment_id") WHERE status in ('journalled', 'settled');--> statement-breakpoint
CREATE UNIQUE INDEX "usdc_transfers_one_per_hash" ON "usdc_transfers" USING btree ("blockchain","hash");--> statement-breakpoint
CREATE INDEX "usdc_transfers_by_sponsor" ON "usdc_transfers" USING btree ("blockchain","sponsor","status");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("status","target","next_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_events_by_merchant" ON "webhook_events" USING btree ("merchant_id","sequence");--> statement-breakpoint
CREATE INDEX "webhook_events_undispatched" ON "webhook_events" USING btree ("sequence") WHERE dispatched_at is null;