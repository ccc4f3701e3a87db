// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {RedeemHash} from "../src/RedeemHash.sol";
import {BridgeHandler} from "./BridgeHandler.sol";
import {ICreditsContract} from "./Deployed.sol";
import {DecentMerchant, SafeMintMerchant1155} from "./mocks/HonestMerchants.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title Steps of the invariant tests
/// @dev Each step predicts its result with `CreditsModel` before it runs. One number decides all choices of a step.
contract CreditsHandler is BridgeHandler {
    /// @dev The hostile merchant delivers only with at least this much gas. Its whitelist entry has the same minimum.
    uint256 private constant HOSTILE_GAS = 2_000_000;
    /// @dev Selectors that approve or move tokens. No whitelist entry may have them.
    bytes private constant FORBIDDEN = hex"095ea7b339509351a457c2d7a22cb465d505accf9fd5a6cf8fcbaf0ca9059cbb23b872dd42842e0eb88d4fdef242432a"
        hex"2eb2c2d6d73dd62366188463959b8c3f426a8493558a72973177029fcae9ca51745a41bc7ac2ff7b095bcdb6fe99049a9bd9bbc662ad1b83"
        hex"1296ee624000aea0d8fbe994c1d34b89";
    /// @dev Functions whose arguments contain further calls. Entries for any selector do not allow them.
    bytes private constant BUNDLES = hex"ac9650d85ae401dc1f0464d11e897afbd2423b51252dba4282ad56cb174dea71bce38bd7c3077fa9399542e98d80ff0a"
        hex"b61d27f6519454471cff79cde9ae5c5324856bc33593564c3f707e6b18dfb3c747e1da2a34fcd5be6a761202";

    Plan[] private signed;
    ICredits.EarlyAuthorization[] private early;
    /// @dev The last redeem that was signed but not sent.
    uint256 private kept;
    uint256 private listed;
    uint256 private rescued;
    mapping(bytes32 nonce => bool) private credited;

    constructor() {
        setUp();
        _setUpModel();
        _setUpBridge();
        address[5] memory merchants = [
            address(normalMerchant),
            address(mint721),
            address(mint1155),
            address(returnedMerchant),
            address(knownMerchant)
        ];
        for (uint256 i = 0; i < merchants.length; ++i) {
            allowedIn[0][merchants[i]] = true;
            if (i % 2 == 0) _setAllowed(1, merchants[i], true);
        }
        for (uint256 seed = 0; seed < SEEDS; ++seed) {
            allowedIn[seed][address(hostile)] = true;
            vm.prank(admin);
            credits.setWhitelist(seeds[seed], block.chainid, address(hostile), 0, true, true, HOSTILE_GAS);
        }
        vm.startPrank(admin);
        credits.grantRole(credits.OPERATOR_ROLE(), address(hostile));
        credits.grantRole(credits.MINTER_ROLE(), address(hostile));
        vm.stopPrank();
        vm.prank(address(hostile));
        usdc.approve(address(credits), type(uint256).max);
        for (uint256 i = 1; i < WALLETS * SEEDS; ++i) {
            _mintCredits(seeds[i % SEEDS], wallets[i / SEEDS], 500 * DOLLAR);
            creditsIn[i % SEEDS][i / SEEDS] = 500 * DOLLAR;
        }
    }

    function contracts() external view returns (ICreditsContract, MockUsdc) {
        return (credits, usdc);
    }

    /// @notice Returns the selectors of the steps, including those of the bridge.
    function steps() external pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](24);
        selectors[0] = this.mint.selector;
        selectors[1] = this.burn.selector;
        selectors[2] = this.redeemToken.selector;
        selectors[3] = this.redeemNormal.selector;
        selectors[4] = this.redeemSafeMint.selector;
        selectors[5] = this.redeemReturned.selector;
        selectors[6] = this.redeemKnown.selector;
        selectors[7] = this.redeemDecent.selector;
        selectors[8] = this.redeemHostile.selector;
        selectors[9] = this.redeemStarved.selector;
        selectors[10] = this.batch.selector;
        selectors[11] = this.cancel.selector;
        selectors[12] = this.again.selector;
        selectors[13] = this.give.selector;
        selectors[14] = this.landEarly.selector;
        selectors[15] = this.creditEarly.selector;
        selectors[16] = this.withdrawFees.selector;
        selectors[17] = this.administer.selector;
        selectors[18] = this.intrude.selector;
        selectors[19] = this.pass.selector;
        selectors[20] = this.deliver.selector;
        selectors[21] = this.claim.selector;
        selectors[22] = this.misadminister.selector;
        selectors[23] = this.exit.selector;
    }

    // Steps: credits in and out

    function mint(uint256 random) external chosenBy(random) {
        (uint256 who, uint256 seed) = (_pick(WALLETS), _pick(SEEDS));
        uint256 amount = _pick(4) == 0 ? 0 : 1 + _pick(50 * DOLLAR);
        address wallet = _pick(8) == 0 ? address(0) : wallets[who];
        _give(minter, amount + 1);
        vm.startPrank(minter);
        usdc.approve(address(credits), amount);
        bool expected = !_paused() && amount != 0 && wallet != address(0);
        try credits.mint(seeds[seed], wallet, amount) {
            _went("mint", expected);
            creditsIn[seed][who] += amount;
            usdcOf[minter] -= amount;
        } catch {
            _refused("mint", expected);
        }
        vm.stopPrank();
    }

    function burn(uint256 random) external chosenBy(random) {
        (uint256 who, uint256 seed) = (_pick(WALLETS), _pick(SEEDS));
        uint256 balance = creditsIn[seed][who];
        // Sometimes one raw unit more than the balance.
        uint256 amount = _pick(4) == 0 ? balance + 1 : _pick(balance / 4 + 1);
        if (_pick(6) == 0) amount = 0;
        bool expected = !_paused() && amount != 0 && amount <= balance;
        vm.prank(minter);
        try credits.burn(seeds[seed], wallets[who], amount) {
            _went("burn", expected);
            creditsIn[seed][who] -= amount;
            usdcOf[wallets[who]] += amount;
        } catch {
            _refused("burn", expected);
        }
    }

    /// @dev Sends USDC to a wallet or, as a gift, to the contract itself.
    function give(uint256 random) external chosenBy(random) {
        uint256 amount = 1 + _pick(DOLLAR);
        if (_pick(2) == 0) {
            _fund(address(credits), amount);
            surplus += amount;
        } else {
            _give(wallets[_pick(WALLETS)], 50 * amount);
        }
    }

    function withdrawFees(uint256 random) external chosenBy(random) {
        vm.prank(_pick(2) == 0 ? stranger : admin);
        try credits.withdrawFees() returns (uint256 amount) {
            _went("withdrawFees", !_paused());
            vm.assertEq(amount, fees, "fees withdrawn");
            usdcOf[feesGoTo] += fees;
            fees = 0;
        } catch {
            _refused("withdrawFees", !_paused());
        }
    }

    // Steps: redeems

    function redeemToken(uint256 random) external chosenBy(random) {
        uint256 amount = 1 + _pick(20 * DOLLAR);
        Plan memory plan = _plan(_token(receiver), amount, amount, receiver);
        // `again` and `cancel` use the redeems that are stored here.
        if (_pick(4) != 0) {
            _try("token", plan, true);
        } else {
            kept = signed.length;
            signed.push(plan);
        }
    }

    function redeemNormal(uint256 random) external chosenBy(random) {
        uint256 amount = 1 + _pick(20 * DOLLAR);
        // Sometimes the call pulls more than was approved.
        uint256 price = _pick(amount + amount / 8 + 2);
        _try("normal", _plan(_normal(price), amount, price, address(normalMerchant)), true);
    }

    function redeemSafeMint(uint256 random) external chosenBy(random) {
        uint256 price = _pick(DOLLAR);
        // Zero tokens are too few, and seventeen too many.
        uint256 count = _pick(3) == 0 ? 17 * _pick(2) : 1 + _pick(16);
        if (_pick(2) == 0) {
            uint256 before = mint721.minted();
            Plan memory plan = _plan(_safeMint(count, price), price + 1, price, address(mint721));
            if (!_try("safeMint", plan, count != 0 && count < 17)) return;
            vm.assertEq(mint721.minted() - before, count, "minted");
            for (uint256 id = before + 1; id <= before + count; ++id) {
                vm.assertTrue(mint721.ownerOf(id) == wallets[plan.who], "owner");
            }
        } else {
            _redeem1155(count, price);
        }
    }

    function _redeem1155(uint256 count, uint256 price) private {
        ICredits.Settlement memory settlement;
        if (count == 1) {
            settlement.data = abi.encodeCall(SafeMintMerchant1155.mint, (1, 5, price));
        } else {
            (uint256[] memory ids, uint256[] memory values) = (new uint256[](count), new uint256[](count));
            for (uint256 i = 0; i < count; ++i) {
                (ids[i], values[i]) = (1 + i % 2, 5);
            }
            settlement.data = abi.encodeCall(SafeMintMerchant1155.mintBatch, (ids, values, price));
        }
        settlement.kind = ICredits.Kind.SafeMint;
        settlement.target = settlement.nftContract = address(mint1155);
        Plan memory plan = _plan(settlement, price + 1, price, address(mint1155));
        address wallet = wallets[plan.who];
        uint256 before = mint1155.balanceOf(wallet, 1) + mint1155.balanceOf(wallet, 2);
        if (!_try("safeMint1155", plan, count != 0 && count < 17)) return;
        uint256 got = mint1155.balanceOf(wallet, 1) + mint1155.balanceOf(wallet, 2) - before;
        vm.assertEq(got, 5 * count, "1155 tokens");
    }

    function redeemReturned(uint256 random) external chosenBy(random) {
        uint256 price = _pick(DOLLAR);
        Plan memory plan = _plan(_returned(price), price + 1, price, address(returnedMerchant));
        if (!_try("returned", plan, true)) return;
        vm.assertTrue(returnedMerchant.ownerOf(returnedMerchant.minted()) == wallets[plan.who], "owner");
    }

    function redeemKnown(uint256 random) external chosenBy(random) {
        uint256 price = _pick(DOLLAR);
        knownMerchant.list(++listed, price);
        // The token is not for sale, or is already sold.
        ICredits.Settlement memory settlement = _known(listed);
        uint256 way = _pick(4);
        if (way == 0) settlement.nftId = listed + 1;
        if (way == 1) settlement = _known(1);
        uint256 id = settlement.nftId;
        if (way != 0) price = knownMerchant.priceOf(id);
        bool expected = way != 0 && knownMerchant.ownerOf(id) == address(knownMerchant);
        Plan memory plan = _plan(settlement, price + 1, price, address(knownMerchant));
        if (!_try("known", plan, expected)) return;
        vm.assertTrue(knownMerchant.ownerOf(id) == wallets[plan.who], "owner");
    }

    function redeemDecent(uint256 random) external chosenBy(random) {
        uint256 amount = 1 + _pick(20 * DOLLAR);
        uint256 cost = _pick(4) == 0 ? amount : _pick(amount + amount / 8 + 2);
        bool trapped = _pick(4) == 0;
        uint256 price = trapped ? 0 : _pick(cost + 1);
        ICredits.Settlement memory settlement = trapped ? _trapped(cost) : _bridged(cost, price);
        Plan memory plan = _plan(settlement, amount, cost, address(adapter));
        if (_try("decent", plan, true)) _expectDelivery(plan, price);
    }

    /// @dev The hostile merchant attacks during its call. The customer must pay only the amount that the merchant pulled.
    function redeemHostile(uint256 random) external chosenBy(random) {
        uint256 amount = 2 + _pick(10 * DOLLAR);
        uint256 mode = _pick(11);
        if (mode > 6) return _redeemHostileNft(mode, amount);
        uint256 price = _pick(amount);
        Plan memory inner;
        bytes memory data;
        if (mode == 0) {
            data = abi.encodeCall(HostileMerchant.pullTwice, (price / 2, price - price / 2));
        } else if (mode == 1) {
            (data, price) = (abi.encodeCall(HostileMerchant.returnBomb, (10_000)), 0);
        } else if (mode == 2) {
            data = abi.encodeCall(HostileMerchant.revertBomb, (10_000));
        } else if (mode == 3) {
            inner = _earlyPlan();
            data = abi.encodeCall(HostileMerchant.tryCall, (price, address(usdc), _usdcCall(inner.request)));
        } else {
            data = abi.encodeCall(HostileMerchant.tryCall, (price, address(credits), _reentry()));
        }
        ICredits.Settlement memory settlement = _call(ICredits.Kind.Normal, address(hostile), data);
        // The call uses a function that no settlement may call.
        if (_pick(8) == 0) {
            settlement.data = abi.encodeWithSignature("setApprovalForAll(address,bool)", stranger, true);
            mode = 2;
        }
        Plan memory plan = _plan(settlement, amount, price, address(hostile));
        uint256 usdcBefore = mode == 3 ? usdcOf[inner.request.permit.customerWallet] : 0;
        if (!_try("hostile", plan, mode != 2)) return;
        if (mode == 3) _noteMined(inner, usdcBefore);
        if (mode > 3) assertFalse(hostile.lastSucceeded(), "reentered");
    }

    /// @dev Makes calls that would succeed outside of a redeem.
    function _reentry() private returns (bytes memory) {
        uint256 way = _pick(8);
        ICredits.RedeemRequest memory request = _request(_token(stranger), 1, 0, 0);
        _bind(request);
        _sign(request);
        if (way == 0) return abi.encodeCall(ICredits.redeem, (request));
        if (way == 6) {
            return abi.encodeCall(ICredits.redeemToken, (request.permit, 1, 0, request.intent.salt, stranger));
        }
        if (way == 1) return abi.encodeCall(ICredits.burn, (SEED, wallets[0], 1));
        if (way == 2) return abi.encodeCall(ICredits.mint, (SEED, wallets[0], 1));
        if (way == 3) return abi.encodeCall(ICredits.withdrawFees, ());
        if (way == 4) return abi.encodeCall(ICredits.surplus, ());
        if (way == 5) {
            return abi.encodeCall(
                ICredits.creditEarlyAuthorization, (SEED, early.length == 0 ? _early(request) : early[early.length - 1])
            );
        }
        ICredits.RedeemRequest[] memory requests = new ICredits.RedeemRequest[](1);
        requests[0] = request;
        uint256[] memory gasLimits = new uint256[](1);
        gasLimits[0] = 300_000;
        return abi.encodeCall(ICredits.redeemBatch, (_encoded(requests), gasLimits));
    }

    /// @dev The redeem must deliver exactly the declared token, or revert.
    function _redeemHostileNft(uint256 mode, uint256 amount) private {
        uint256 count = _pick(2) == 0 ? 1 : _pick(3);
        uint256 next = hostile.minted() + 1;
        uint256 answer = _pick(3) == 0 ? next + 1 : next;
        ICredits.Settlement memory settlement = _call(ICredits.Kind.Returned, address(hostile), "");
        settlement.nftContract = address(hostile);
        bool expected = count == 1 && answer == next;
        if (mode == 7) settlement.data = abi.encodeCall(HostileMerchant.mintAndReturn, (count, answer));
        if (mode == 8) settlement.data = abi.encodeCall(HostileMerchant.safeMintAndReturn, (count, answer));
        if (mode == 9) {
            settlement.data = abi.encodeCall(HostileMerchant.announce, (answer));
            settlement.kind = ICredits.Kind.SafeMint;
            expected = false;
        }
        if (mode == 10) {
            settlement.data = abi.encodeCall(HostileMerchant.safeMint, (count));
            // The redeem declares tokens of a different contract.
            bool other = _pick(2) == 0;
            settlement.kind = ICredits.Kind.SafeMint;
            if (other) settlement.nftContract = address(mint721);
            expected = count != 0 && !other;
        }
        Plan memory plan = _plan(settlement, amount, 0, address(hostile));
        if (!_try("hostileNft", plan, expected)) return;
        vm.assertTrue(hostile.ownerOf(next) == wallets[plan.who], "owner");
    }

    /// @dev With little gas, either the redeem reverts or the merchant gets the minimum gas of its entry.
    function redeemStarved(uint256 random) external chosenBy(random) {
        bytes memory data = abi.encodeCall(HostileMerchant.swallowOutOfGas, (HOSTILE_GAS));
        Plan memory plan = _plan(_call(ICredits.Kind.Normal, address(hostile), data), DOLLAR, 0, address(hostile));
        hostile.tryCall(0, address(this), "");
        bool fits = _fits(plan);
        vm.prank(plan.relayer);
        try credits.redeem{gas: HOSTILE_GAS + _pick(400_000)}(plan.request) {
            vm.assertTrue(fits, "starved");
            vm.assertTrue(hostile.lastSucceeded(), "the customer paid, but the merchant did not deliver");
            ++went["starved"];
            _note(plan);
        } catch {
            ++refused["starved"];
        }
    }

    /// @dev Flawed items, malformed items and items with little gas must fail without affecting the others.
    function batch(uint256 random) external chosenBy(random) {
        uint256 count = 1 + _pick(4);
        Plan[] memory plans = new Plan[](count);
        bytes[] memory items = new bytes[](count);
        uint256[] memory gasLimits = new uint256[](count);
        bool[] memory spoiled = new bool[](count);
        for (uint256 i = 0; i < count; ++i) {
            uint256 amount = 1 + _pick(2 * DOLLAR);
            plans[i] = i != 0 && _pick(4) == 0 ? plans[i - 1] : _plan(_token(receiver), amount, amount, receiver);
            items[i] = abi.encode(plans[i].request);
            gasLimits[i] = 600_000;
            uint256 way = _pick(12);
            if (way == 0) gasLimits[i] = 30_000;
            if (way == 1) items[i] = hex"01";
            if (way == 2) items[i] = "";
            spoiled[i] = way < 3;
        }
        address relayer = plans[0].relayer;
        vm.prank(relayer);
        try credits.redeemBatch(items, gasLimits) returns (ICredits.BatchResult[] memory results) {
            assertFalse(_paused(), "batch while paused");
            for (uint256 i = 0; i < count; ++i) {
                plans[i].relayer = relayer;
                bool expected = !spoiled[i] && _fits(plans[i]);
                vm.assertEq(_word(results[i].success), _word(expected), "batch item");
                if (!expected) continue;
                _note(plans[i]);
                ++went["batch"];
            }
        } catch {
            _refused("batch", !_paused());
        }
    }

    /// @dev Sends an earlier redeem again. It was executed, refused or cancelled, or has expired.
    function again(uint256 random) external chosenBy(random) {
        if (signed.length == 0) return;
        Plan memory plan = signed[_pick(2) == 0 ? kept : _pick(signed.length)];
        if (plan.request.settlement.kind != ICredits.Kind.Token) plan.flawed = plan.flawed || _isUsed(plan);
        if (plan.request.settlement.kind != ICredits.Kind.Token && !plan.flawed) return;
        plan.relayer = _pick(2) == 0 ? stranger : operator;
        _send("again", plan, true);
    }

    function _isUsed(Plan memory plan) private view returns (bool) {
        ICredits.Permit memory permit = plan.request.permit;
        return _stateIn(permit.customerWallet, permit.nonce) != ICredits.OrderState.Unused;
    }

    /// @dev Cancels a redeem, whether or not it was sent.
    function cancel(uint256 random) external chosenBy(random) {
        uint256 amount = 1 + _pick(DOLLAR);
        Plan memory plan = _pick(3) == 0 && signed.length != 0
            ? signed[_pick(signed.length)]
            : _plan(_token(receiver), amount, amount, receiver);
        (address wallet, bytes32 nonce) = (wallets[plan.who], plan.request.permit.nonce);
        bool forged = _pick(3) == 0;
        uint256 key = keys[forged ? (plan.who + 1) % WALLETS : plan.who];
        bytes memory signature = _signature(key, credits.hashCancelCreditsAuthorization(wallet, nonce));
        bool expected = !forged && _stateIn(wallet, nonce) == ICredits.OrderState.Unused;
        vm.prank(stranger);
        try credits.cancelCreditsAuthorization(wallet, nonce, signature) {
            _went("cancel", expected);
            _setState(wallet, nonce, ICredits.OrderState.Cancelled);
        } catch {
            _refused("cancel", expected);
        }
        if (plan.request.settlement.kind == ICredits.Kind.Token) _send("cancelled", plan, true);
    }

    // Steps: USDC that is executed early

    function landEarly(uint256 random) external chosenBy(random) {
        Plan memory plan = _earlyPlan();
        uint256 before = usdcOf[plan.request.permit.customerWallet];
        (bool success,) = address(usdc).call(_usdcCall(plan.request));
        vm.assertEq(_word(success), _word(before >= plan.request.intent.usdcAmount), "mined");
        _noteMined(plan, before);
    }

    /// @dev Prepares a redeem that is paid only in USDC. Anyone can execute its authorization at the token.
    function _earlyPlan() private returns (Plan memory plan) {
        uint256 amount = 1 + _pick(DOLLAR);
        (plan.who, plan.relayer, plan.price, plan.payee) = (_pick(WALLETS), operator, amount, receiver);
        plan.request = _request(_token(receiver), amount, amount, 0);
        plan.request.permit.customerWallet = wallets[plan.who];
        // Sometimes the nonce is intent-bound. The authorization is then never credited.
        if (_pick(4) == 0) _bind(plan.request);
        else _unbind(plan);
        _signPlan(plan);
        plan.flawed = plan.flawed || RedeemHash.isIntentBound(plan.request.permit.nonce);
        plan.request.usdcAuthorization.method = ICredits.UsdcMethod.TransferV2;
        plan.request.usdcAuthorization.signature = _signature(keys[plan.who], _authorizationDigest(plan.request));
    }

    function _noteMined(Plan memory plan, uint256 usdcBefore) private {
        if (usdcBefore < plan.request.intent.usdcAmount) return;
        surplus += plan.request.intent.usdcAmount;
        usdcOf[plan.request.permit.customerWallet] -= plan.request.intent.usdcAmount;
        mined[_keyOf(plan.request.permit.customerWallet, plan.request.permit.nonce)] = true;
        early.push(_early(plan.request));
        signed.push(plan);
        ++went["mined"];
    }

    /// @dev Credits the payer once with the paid amount, even if the redeem was cancelled.
    function creditEarly(uint256 random) external chosenBy(random) {
        if (early.length == 0) return;
        uint256 index = _pick(early.length);
        uint256 seed = _pick(SEEDS);
        ICredits.EarlyAuthorization memory authorization = early[index];
        (uint256 way, address caller) = (_pick(8), operator);
        if (way == 0) ++authorization.value;
        if (way == 1) authorization.from = wallets[(_indexOf(authorization.from) + 1) % WALLETS];
        if (way == 2) authorization.nonce = bytes32(uint256(authorization.nonce) ^ 1);
        if (way == 3) caller = stranger;
        if (way == 4) authorization.value = 0;
        bool expected =
            way > 4 && !_paused() && !credited[authorization.nonce] && !RedeemHash.isIntentBound(authorization.nonce);
        vm.prank(caller);
        try credits.creditEarlyAuthorization(seeds[seed], authorization) {
            _went("creditEarly", expected);
            credited[authorization.nonce] = true;
            creditsIn[seed][_indexOf(authorization.from)] += authorization.value;
            surplus -= authorization.value;
        } catch {
            _refused("creditEarly", expected);
        }
    }

    // Steps: role holders, other accounts, and time

    function administer(uint256 random) external chosenBy(random) {
        uint256 way = _pick(9);
        uint256 seed = _pick(SEEDS);
        if (way == 4) {
            address[3] memory targets = [address(normalMerchant), address(mint721), address(knownMerchant)];
            return _setAllowed(seed, targets[_pick(3)], _pick(3) != 0);
        }
        if (way == 5) return _administerBridge();
        vm.startPrank(admin);
        if (way == 0) {
            _pause();
        } else if (way < 3) {
            _unpause();
        } else if (way == 3) {
            randomNonceIn[seed] = _pick(4) != 0;
            credits.setRandomNoncePermits(seeds[seed], randomNonceIn[seed]);
        } else if (way == 6) {
            feesGoTo = _pick(2) == 0 ? feeRecipient : receiver;
            credits.setFeeRecipient(feesGoTo);
        } else if (way == 7) {
            bridgeClosed = _pick(4) == 0;
            credits.setBridgeAdapter(bridgeClosed ? address(0) : address(adapter));
        } else if (way == 8) {
            // A token that a stranger sent without a redeem.
            uint256 id = 1_000_000 + ++rescued;
            hostile.mintTo(address(credits), id);
            credits.rescueNft(IERC721(address(hostile)), id, receiver);
            vm.assertTrue(hostile.ownerOf(id) == receiver, "rescued");
        }
        vm.stopPrank();
    }

    /// @dev Each pauser can pause once, but not during a pause. Only the admin can change the end of a pause.
    function _pause() private {
        if (_pick(4) == 0) {
            uint40 until = uint40(block.timestamp + 1 + _pick(9 days));
            credits.pauseUntil(until);
            return _notePause(until);
        }
        try credits.pause() {
            _went("pause", !_paused());
            _notePause(block.timestamp + 7 days);
            assertFalse(credits.hasRole(credits.PAUSER_ROLE(), admin), "used up");
            credits.grantRole(credits.PAUSER_ROLE(), admin);
        } catch {
            _refused("pause", !_paused());
        }
    }

    function _notePause(uint256 until) private {
        if (block.timestamp >= pausedUntil + 3 days) pausedSince = block.timestamp;
        pausedUntil = until;
    }

    /// @dev Uses the customers' exit, which opens 3 days after a pause began and pays the wallet that signed.
    function exit(uint256 random) external chosenBy(random) {
        bool matured = _pick(3) == 0;
        if (matured) _mature();
        uint256 who = _pick(WALLETS);
        uint256 seed = _pick(SEEDS);
        uint256 way = _pick(6);
        uint256 amount = _pick(creditsIn[seed][who] + (way == 0 ? 2 : 1));
        uint256 validBefore = block.timestamp + (way == 1 ? 0 : 1);
        bytes32 digest = credits.hashBurnCredits(wallets[who], seeds[seed], amount, validBefore);
        bytes memory signature = _signature(keys[way == 2 ? (who + 1) % WALLETS : who], digest);
        bool expected = (!_paused() || block.timestamp >= pausedSince + 3 days) && amount != 0
            && amount <= creditsIn[seed][who] && way != 1 && way != 2;
        vm.prank(stranger);
        try credits.burnBySignature(wallets[who], seeds[seed], amount, validBefore, signature) {
            _went("exit", expected);
            creditsIn[seed][who] -= amount;
            usdcOf[wallets[who]] += amount;
        } catch {
            _refused("exit", expected);
        }
        if (!matured) return;
        vm.startPrank(admin);
        _unpause();
        vm.stopPrank();
    }

    /// @dev Begins a pause and waits between three and seven days.
    function _mature() private {
        vm.prank(admin);
        uint40 until = uint40(block.timestamp + 4 days);
        credits.pauseUntil(until);
        _notePause(until);
        vm.warp(block.timestamp + 3 days);
    }

    function _unpause() private {
        try credits.unpause() {
            _went("unpause", _paused());
            pausedUntil = block.timestamp;
        } catch {
            _refused("unpause", _paused());
        }
    }

    /// @dev Sets entries that the contract refuses because no redeem could use them.
    function misadminister(uint256 random) external chosenBy(random) {
        address[4] memory targets = [address(usdc), address(credits), address(adapter), stranger];
        (uint256 chainId, address target, bytes4 selector, uint256 minimumGas) =
            (block.chainid, address(mint1155), bytes4(0x12345678), CALL_GAS);
        uint256 way = _pick(8);
        if (way == 0) chainId = 0;
        if (way == 1) target = targets[bridgeClosed ? 3 : _pick(4)];
        if (way == 2 || way > 4) selector = _selectorAt(FORBIDDEN, 4 * _pick(FORBIDDEN.length / 4));
        if (way == 3) minimumGas = 0;
        if (way == 4) minimumGas = 16_000_001;
        vm.prank(admin);
        try credits.setWhitelist(SEED, chainId, target, selector, false, true, minimumGas) {
            _went("misadminister", false);
        } catch {
            _refused("misadminister", false);
        }
    }

    function _setAllowed(uint256 seed, address target, bool allowed) private {
        allowedIn[seed][target] = allowed;
        vm.prank(admin);
        credits.setWhitelist(seeds[seed], block.chainid, target, 0, true, allowed, CALL_GAS);
        (bool answer,) = credits.whitelisted(seeds[seed], block.chainid, target, 0xdeadbeef);
        vm.assertEq(_word(answer), _word(allowed), "whitelisted");
        for (uint256 i = 0; i < BUNDLES.length; i += 4) {
            (answer,) = credits.whitelisted(seeds[seed], block.chainid, target, _selectorAt(BUNDLES, i));
            assertFalse(answer, "bundle");
        }
    }

    /// @dev Calls each function that requires a role without having the role. With the role, the call would succeed.
    function intrude(uint256 random) external chosenBy(random) {
        Plan memory plan = _plan(_token(stranger), 1, 1, stranger);
        bytes[14] memory calls = [
            abi.encodeCall(ICredits.mint, (SEED, stranger, 1)),
            abi.encodeCall(ICredits.burn, (SEED, wallets[0], 1)),
            abi.encodeCall(IEmergencyPause.pause, ()),
            abi.encodeCall(IEmergencyPause.pauseUntil, (type(uint40).max)),
            abi.encodeCall(IEmergencyPause.unpause, ()),
            abi.encodeCall(ICredits.setFeeRecipient, (stranger)),
            abi.encodeCall(ICredits.setBridgeAdapter, (address(0))),
            abi.encodeCall(ICredits.setRandomNoncePermits, (SEED, !randomNonceIn[0])),
            abi.encodeCall(ICredits.setWhitelist, (SEED, block.chainid, address(hostile), 0, true, false, CALL_GAS)),
            abi.encodeCall(ICreditsContract.redeemItem, (operator, plan.request)),
            abi.encodeCall(ICredits.rescueNft, (IERC721(address(mint721)), 1, stranger)),
            abi.encodeWithSignature("onERC721Received(address,address,uint256,bytes)", stranger, stranger, 1, ""),
            abi.encodeWithSignature(
                "onERC1155Received(address,address,uint256,uint256,bytes)", stranger, stranger, 1, _pick(2), ""
            ),
            abi.encodeCall(IBridgeAdapter.bridge, (_bridgeRequest()))
        ];
        _give(stranger, 1);
        vm.startPrank(stranger);
        usdc.approve(address(credits), 1);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success,) = (i == 13 ? address(adapter) : address(credits)).call(calls[i]);
            assertFalse(success, "intruder");
        }
        vm.stopPrank();
        _intrudeBridge();
    }

    /// @dev Lets time pass, so that permits expire and the next day's limit begins.
    function pass(uint256 random) external chosenBy(random) {
        vm.warp(block.timestamp + 1 + _pick(_pick(4) == 0 ? 1 days : 30 minutes));
    }

    // Inside

    function _selectorAt(bytes memory list, uint256 index) private pure returns (bytes4) {
        return bytes4(bytes.concat(list[index], list[index + 1], list[index + 2], list[index + 3]));
    }

    /// @param possible whether the merchant's call can succeed
    function _try(string memory step, Plan memory plan, bool possible) private returns (bool) {
        signed.push(plan);
        if (!possible) signed[signed.length - 1].flawed = true;
        return _send(step, plan, possible);
    }

    /// @dev Returns whether `redeemToken` can express the whole request.
    function _isForRedeemToken(ICredits.RedeemRequest memory request) private pure returns (bool) {
        return request.settlement.kind == ICredits.Kind.Token && request.intent.usdcAmount == 0
            && request.usdcAuthorization.method == ICredits.UsdcMethod.None
            && request.usdcAuthorization.signature.length == 0 && _usesNothingElse(request.settlement);
    }

    function _usesNothingElse(ICredits.Settlement memory settlement) private pure returns (bool) {
        ICredits.Bridge memory bridge = settlement.bridge;
        return settlement.data.length == 0 && settlement.nftContract == address(0) && settlement.nftId == 0
            && bridge.dstChainId == 0 && bridge.dstToken == address(0) && !bridge.isNative && bridge.cost == 0;
    }

    function _sendToken(Plan memory plan, bool expected) private returns (bool) {
        ICredits.RedeemRequest memory request = plan.request;
        expected = expected && RedeemHash.isIntentBound(request.permit.nonce);
        vm.prank(plan.relayer);
        try credits.redeemToken(
            request.permit, request.intent.amount, request.gasFee, request.intent.salt, request.settlement.target
        ) {
            _went("redeemToken", expected);
            _note(plan);
            return true;
        } catch {
            _refused("redeemToken", expected);
            return false;
        }
    }

    function _send(string memory step, Plan memory plan, bool possible) private returns (bool) {
        bool expected = possible && _fits(plan);
        if (_isForRedeemToken(plan.request) && _pick(2) == 0) return _sendToken(plan, expected);
        bool repeated = _isUsed(plan);
        vm.prank(plan.relayer);
        try credits.redeem(plan.request) {
            _went(step, expected);
            _note(plan);
            return true;
        } catch {
            _refused(step, expected);
            if (repeated) _refused("another attempt", expected);
            return false;
        }
    }
}
