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
	"subtotal_cents" integer NOT NULL,
	"total_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"totals" jsonb NOT NULL,
	"carried" jsonb NOT NULL,
	"auth_only" boolean DEFAULT false NOT NULL,
	"email" text,
	"customer_info" jsonb,
	"webhook_info" jsonb,
	"card_token" text,
	"subscription_id" text,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"hash" text,
	"error" text,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "payment_moves_by_payment" ON "payment_moves" USING btree ("payment_id","id");--> statement-breakpoint
CREATE INDEX "payments_by_merchant" ON "payments" USING btree ("merchant_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_by_customer" ON "payments" USING btree ("merchant_id","user_id","wallet");--> statement-breakpoint
CREATE INDEX "payments_by_status" ON "payments" USING btree ("status","expires_at");--> statement-breakpoint
CREATE INDEX "webhook_events_by_merchant" ON "webhook_events" USING btree ("merchant_id","created_at");