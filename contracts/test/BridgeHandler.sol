// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {IBridgeAdapterContract} from "./Deployed.sol";
import {RedeemPlans} from "./RedeemPlans.sol";
import {DecentMerchant} from "./mocks/HonestMerchants.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";

/// @title Steps of the invariant tests on the destination chain of a decent settlement
abstract contract BridgeHandler is RedeemPlans {
    bytes32 private constant CLAIM_TYPEHASH =
        keccak256("Claim(address customer,address token,address to,uint256 nonce,uint256 validBefore)");

    /// @dev The token, the adapter and the merchant of the destination chain (`there`).
    MockUsdc internal dollars;
    IBridgeAdapterContract internal there;
    DecentMerchant internal shop;
    /// @dev A merchant on the destination chain that calls the adapter back and has every role.
    HostileMerchant internal trap;

    IBridgeAdapter.Delivery[] private deliveries;
    mapping(uint256 index => bool) private executed;
    mapping(uint256 index => uint256) private priceOf;
    uint256 private thereUntil;
    uint256 private thereSince;
    bool private closed;
    uint256 private liquidity;
    uint256 private limit = 60 * DOLLAR;
    uint256 private sold;
    mapping(address wallet => uint256) private claimable;
    mapping(uint256 day => uint256) private spentOn;
    mapping(address wallet => uint256) private claims;
    uint256 private claimed;

    function _setUpBridge() internal {
        dollars = _newUsdc();
        there = _newAdapter(address(0), address(dollars));
        shop = new DecentMerchant(address(dollars));
        trap = new HostileMerchant(address(dollars));
        vm.startPrank(admin);
        there.grantRole(there.RELAYER_ROLE(), operator);
        there.grantRole(there.TREASURER_ROLE(), admin);
        there.grantRole(there.PAUSER_ROLE(), admin);
        there.grantRole(there.RELAYER_ROLE(), address(trap));
        there.grantRole(there.TREASURER_ROLE(), address(trap));
        there.setSource(block.chainid, address(adapter), true);
        there.setDailyLimit(address(dollars), limit);
        adapter.setRoute(DST_CHAIN, address(dollars), DOLLAR);
        for (uint256 seed = 0; seed < SEEDS; ++seed) {
            credits.setWhitelist(
                seeds[seed], DST_CHAIN, address(shop), DecentMerchant.buy.selector, false, true, CALL_GAS
            );
            credits.setWhitelist(
                seeds[seed], DST_CHAIN, address(trap), HostileMerchant.tryCall.selector, false, true, CALL_GAS
            );
            allowedIn[seed][address(shop)] = allowedIn[seed][address(trap)] = true;
        }
        vm.stopPrank();
        _addLiquidity(100 * DOLLAR);
    }

    function checkBridge() external view {
        uint256 owed = 0;
        for (uint256 who = 0; who < WALLETS; ++who) {
            uint256 amount = there.claimableOf(wallets[who], address(dollars));
            vm.assertEq(amount, claimable[wallets[who]], "claimable");
            owed += amount;
        }
        vm.assertEq(dollars.balanceOf(address(there)), liquidity + owed, "adapter's dollars");
        vm.assertEq(there.liquidityOf(address(dollars)), liquidity, "liquidity");
        vm.assertEq(dollars.balanceOf(address(shop)), sold, "sold");
        vm.assertEq(dollars.balanceOf(there.executor()), 0, "executor");
        vm.assertEq(there.remainingToday(address(dollars)), _remaining(), "remaining today");
        vm.assertEq(dollars.balanceOf(receiver), claimed, "claimed");
        vm.assertEq(dollars.allowance(address(there), there.executor()), 0, "allowance of the executor");
        vm.assertEq(there.dailyLimitOf(address(dollars)), limit, "daily limit");
        vm.assertEq(adapter.routeOf(DST_CHAIN, address(dollars)), DOLLAR, "route");
        vm.assertTrue(there.isSource(8453, address(adapter)), "source");
        assertFalse(there.isSource(8453, address(there)), "no source");
    }

    /// @param price the part of `cost` that the destination's merchant takes
    function _bridged(uint256 cost, uint256 price) internal view returns (ICredits.Settlement memory settlement) {
        settlement = _call(ICredits.Kind.Decent, address(shop), abi.encodeCall(DecentMerchant.buy, (receiver, price)));
        settlement.bridge =
            ICredits.Bridge({dstChainId: DST_CHAIN, dstToken: address(dollars), isNative: false, cost: cost});
    }

    /// @dev A call to a merchant on the destination chain that takes nothing and calls the adapter back.
    function _trapped(uint256 cost) internal returns (ICredits.Settlement memory settlement) {
        settlement = _bridged(cost, 0);
        settlement.target = address(trap);
        uint256 way = _pick(3);
        bytes memory call = abi.encodeCall(IBridgeAdapter.withdraw, (address(dollars), stranger, 1));
        if (way == 0 && deliveries.length != 0) {
            call = abi.encodeCall(IBridgeAdapter.execute, (deliveries[deliveries.length - 1]));
        } else if (way == 1) {
            address wallet = wallets[_pick(WALLETS - 1)];
            uint256 validBefore = block.timestamp + 30 days;
            bytes32 digest = _claimDigest(wallet, stranger, claims[wallet], validBefore);
            bytes memory signature = _signature(keys[_indexOf(wallet)], digest);
            call = abi.encodeCall(IBridgeAdapter.claimFor, (wallet, address(dollars), stranger, validBefore, signature));
        }
        settlement.data = abi.encodeCall(HostileMerchant.tryCall, (0, address(there), call));
    }

    /// @dev The request that the service delivers after a decent redeem.
    function _expectDelivery(Plan memory plan, uint256 price) internal {
        priceOf[deliveries.length] = price;
        deliveries.push(
            IBridgeAdapter.Delivery({
                srcChainId: block.chainid,
                srcAdapter: address(adapter),
                number: deliveries.length + 1,
                customer: wallets[plan.who],
                nonce: plan.request.permit.nonce,
                amount: plan.price,
                token: address(dollars),
                cost: plan.price,
                target: plan.request.settlement.target,
                data: plan.request.settlement.data,
                minimumGas: CALL_GAS
            })
        );
    }

    function _bridgeRequest() internal view returns (IBridgeAdapter.Request memory request) {
        request.customer = stranger;
        request.dstChainId = DST_CHAIN;
        request.dstToken = address(dollars);
        request.target = address(shop);
    }

    // Steps

    /// @dev Delivers one request. The customer can claim the part of the cost that the call did not use.
    function deliver(uint256 random) external chosenBy(random) {
        if (deliveries.length == 0) return;
        uint256 index = _pick(2) == 0 ? deliveries.length - 1 : _pick(deliveries.length);
        IBridgeAdapter.Delivery memory delivery = deliveries[index];
        uint256 way = _pick(10);
        if (way == 0) delivery.srcAdapter = address(there);
        if (way == 1) delivery.srcChainId = DST_CHAIN;
        if (way == 2) delivery.customer = address(0);
        // Sometimes the cost equals the rest of the daily limit, or the liquidity.
        if (way == 4 && !executed[index]) _setLimit(spentOn[block.timestamp / 1 days] + delivery.cost);
        if (way == 5 && liquidity > delivery.cost) _takeLiquidity(liquidity - delivery.cost);
        vm.chainId(DST_CHAIN);
        vm.assertEq(_word(there.executed(there.idOf(deliveries[index]))), _word(executed[index]), "executed");
        bool expected = way > 3 && !_pausedThere() && !executed[index] && delivery.cost <= liquidity
            && delivery.cost <= _remaining();
        vm.prank(way == 3 ? stranger : operator);
        try there.execute(delivery) returns (bool success) {
            _went("delivered", expected);
            bool trapped = delivery.target == address(trap);
            vm.assertEq(_word(success), _word(trapped || !closed), "delivery");
            if (trapped) assertFalse(trap.lastSucceeded(), "reentered there");
            executed[index] = true;
            spentOn[block.timestamp / 1 days] += delivery.cost;
            liquidity -= delivery.cost;
            uint256 used = success ? priceOf[index] : 0;
            sold += used;
            claimable[delivery.customer] += delivery.cost - used;
        } catch {
            _refused("delivered", expected);
        }
        vm.chainId(8453);
    }

    /// @dev Claims as the customer, or as anyone with the customer's signature.
    function claim(uint256 random) external chosenBy(random) {
        uint256 who = _pick(WALLETS);
        address wallet = wallets[who];
        uint256 amount = claimable[wallet];
        if (_pick(3) == 0) {
            vm.prank(wallet);
            try there.claim(address(dollars), receiver) {
                _noteClaim(wallet, amount);
            } catch {
                _refused("claim", amount != 0 && _claimsOpen());
            }
            return;
        }
        uint256 way = _pick(6);
        uint256 validBefore = way == 0 ? block.timestamp : block.timestamp + 1 + _pick(1000);
        // The signature has a wrong nonce, receiver or signer.
        uint256 nonce = way == 1 ? claims[wallet] + 1 : claims[wallet];
        address to = way == 2 ? stranger : receiver;
        bytes32 digest = _claimDigest(wallet, to, nonce, validBefore);
        bytes memory signature = _signature(keys[way == 3 ? (who + 1) % WALLETS : who], digest);
        vm.prank(stranger);
        try there.claimFor(wallet, address(dollars), receiver, validBefore, signature) {
            _went("claimFor", way > 3 && _claimsOpen());
            ++claims[wallet];
            _noteClaim(wallet, amount);
        } catch {
            _refused("claimFor", way > 3 && amount != 0 && _claimsOpen());
        }
    }

    function _administerBridge() internal {
        uint256 way = _pick(7);
        vm.startPrank(admin);
        if (way == 0) {
            if (_pausedThere()) {
                there.unpause();
                thereUntil = block.timestamp;
            } else {
                there.pause();
                there.grantRole(there.PAUSER_ROLE(), admin);
                if (block.timestamp >= thereUntil + 3 days) thereSince = block.timestamp;
                thereUntil = block.timestamp + 7 days;
            }
        } else if (way == 1) {
            if (_pausedHere()) {
                adapter.unpause();
                hereUntil = block.timestamp;
            } else {
                adapter.pause();
                adapter.grantRole(adapter.PAUSER_ROLE(), admin);
                hereUntil = block.timestamp + 7 days;
            }
        } else if (way == 2) {
            closed = !closed;
            shop.setClosed(closed);
        } else if (way == 3) {
            vm.stopPrank();
            _addLiquidity(20 * DOLLAR);
        } else {
            // Claimable funds are not liquidity.
            vm.stopPrank();
            if (way == 4) return _setLimit((20 + _pick(60)) * DOLLAR);
            _takeLiquidity(_pick(2) == 0 ? liquidity + 1 : liquidity / 2);
        }
        vm.stopPrank();
    }

    /// @dev Calls each function that requires a role without having the role.
    function _intrudeBridge() internal {
        bytes[6] memory calls = [
            abi.encodeCall(IEmergencyPause.pause, ()),
            abi.encodeCall(IEmergencyPause.unpause, ()),
            abi.encodeCall(IBridgeAdapter.setSource, (1, stranger, true)),
            abi.encodeCall(IBridgeAdapter.setDailyLimit, (address(dollars), 0)),
            abi.encodeCall(IBridgeAdapter.setRoute, (DST_CHAIN, address(dollars), 1)),
            abi.encodeCall(IBridgeAdapter.withdraw, (address(dollars), stranger, 0))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            vm.prank(stranger);
            (bool success,) = address(there).call(calls[i]);
            assertFalse(success, "intruder there");
        }
        bytes memory call = abi.encodeCall(DecentMerchant.setClosed, (closed));
        vm.prank(stranger);
        (bool ran,) = there.executor()
            .call(abi.encodeWithSignature("run(address,uint256,address,bytes)", address(0), 0, address(shop), call));
        assertFalse(ran, "intruder in the executor");
    }

    function _pausedThere() private view returns (bool) {
        return block.timestamp < thereUntil;
    }

    /// @dev Claims must succeed, except in the first three days of a pause.
    function _claimsOpen() private view returns (bool) {
        return !_pausedThere() || block.timestamp >= thereSince + 3 days;
    }

    function _setLimit(uint256 amount) private {
        vm.prank(admin);
        there.setDailyLimit(address(dollars), amount);
        limit = amount;
    }

    function _takeLiquidity(uint256 amount) private {
        vm.prank(admin);
        try there.withdraw(address(dollars), admin, amount) {
            vm.assertTrue(amount <= liquidity, "withdrew too much");
            liquidity -= amount;
        } catch {
            vm.assertTrue(amount > liquidity, "withdrawal refused");
        }
    }

    function _addLiquidity(uint256 amount) private {
        vm.prank(issuer);
        dollars.mint(address(there), amount);
        liquidity += amount;
    }

    function _remaining() private view returns (uint256) {
        uint256 spent = spentOn[block.timestamp / 1 days];
        return spent < limit ? limit - spent : 0;
    }

    function _noteClaim(address wallet, uint256 amount) private {
        _went("claim", amount != 0 && _claimsOpen());
        claimable[wallet] = 0;
        claimed += amount;
    }

    function _claimDigest(address wallet, address to, uint256 nonce, uint256 validBefore)
        private
        view
        returns (bytes32)
    {
        bytes32 structHash = keccak256(abi.encode(CLAIM_TYPEHASH, wallet, address(dollars), to, nonce, validBefore));
        bytes32 domain = _domainSeparator("BridgeAdapter", address(there));
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }
}
