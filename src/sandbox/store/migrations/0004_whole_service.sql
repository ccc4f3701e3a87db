CREATE TABLE "api_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"key_hash" text NOT NULL,
	"merchant_id" text NOT NULL,
	"scope" text,
	"ips" jsonb NOT NULL,
	"disabled" boolean NOT NULL
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
CREATE TABLE "evidence_files" (
	"file_key" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"name" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
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
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"hash" text,
	"error" text,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proceeds" (
	"payment_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"refund_id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"cents" bigint NOT NULL,
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
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
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
	"card_token" text NOT NULL,
	"status" text NOT NULL,
	"anchor_at" timestamp with time zone NOT NULL,
	"anchor_period" integer NOT NULL,
	"period" integer NOT NULL,
	"refusals" integer NOT NULL,
	"due_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
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
ALTER TABLE "merchants" DROP CONSTRAINT "merchants_api_key_hash_unique";--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "jwt_secret" text DEFAULT replace(gen_random_uuid()::text || gen_random_uuid(), '-', '') NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "enforce_checkout_jwt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "redeems" ADD COLUMN "told" text;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "replaced" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "cards_on_file_by_customer" ON "cards_on_file" USING btree ("merchant_id","user_id","wallet");--> statement-breakpoint
CREATE INDEX "chargeback_responses_by_payment" ON "chargeback_responses" USING btree ("payment_id","id");--> statement-breakpoint
CREATE INDEX "payment_moves_by_payment" ON "payment_moves" USING btree ("payment_id","id");--> statement-breakpoint
CREATE INDEX "payments_by_merchant" ON "payments" USING btree ("merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_by_customer" ON "payments" USING btree ("merchant_id","user_id","wallet");--> statement-breakpoint
CREATE INDEX "payments_by_status" ON "payments" USING btree ("status","expires_at");--> statement-breakpoint
CREATE INDEX "proceeds_by_merchant" ON "proceeds" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "refunds_by_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "seller_withdrawals_by_merchant" ON "seller_withdrawals" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "seller_withdrawals_by_status" ON "seller_withdrawals" USING btree ("status");--> statement-breakpoint
CREATE INDEX "subscription_moves_by_subscription" ON "subscription_moves" USING btree ("subscription_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_by_plan" ON "subscriptions" USING btree ("plan_id","created_at");--> statement-breakpoint
CREATE INDEX "subscriptions_by_customer" ON "subscriptions" USING btree ("merchant_id","user_id","wallet");--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "subscriptions" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("status","target","next_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_events_by_merchant" ON "webhook_events" USING btree ("merchant_id","sequence");--> statement-breakpoint
CREATE INDEX "webhook_events_undispatched" ON "webhook_events" USING btree ("sequence") WHERE dispatched_at is null;--> statement-breakpoint
CREATE INDEX "redeems_untold" ON "redeems" USING btree ("created_at") WHERE told is distinct from status;--> statement-breakpoint
CREATE INDEX "redeems_open" ON "redeems" USING btree ("blockchain","wallet") WHERE status in ('sending', 'alone');--> statement-breakpoint
ALTER TABLE "merchants" DROP COLUMN "api_key_hash";