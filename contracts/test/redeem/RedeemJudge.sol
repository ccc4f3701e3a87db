// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ForbiddenCalls} from "../../src/ForbiddenCalls.sol";
import {ICredits} from "../../src/ICredits.sol";
import {RedeemCase, RedeemStage} from "./RedeemStage.sol";
import {RedeemTestVm, redeemTestVm} from "./RedeemTestVm.sol";
import {RedeemFinding, RedeemTexts} from "./RedeemTexts.sol";

/// @dev A run of a redeem, as the cheatcodes recorded it.
/// @param digest hash of all writes, movements and logs of the run
/// @param pulled the USDC that the call took from its allowance
/// @param usdc balances of the credits contract, the customer and the relayer before and after. Recorded logs and
/// writes are not enough, because forge also records reverted ones
struct RedeemRun {
    bool success;
    bytes answer;
    uint256 gasUsed;
    bytes32 digest;
    uint256 pulled;
    uint256[2][3] usdc;
    RedeemTestVm.AccountAccess[] accesses;
    RedeemTestVm.Log[] logs;
}

/// @dev The result of the same redeem with less gas.
enum RedeemShortRun {
    Fails,
    Same,
    Differs
}

/// @dev Queries of ERC-721 and ERC-1155 tokens after the redeem.
interface RedeemTestNft {
    function ownerOf(uint256 id) external view returns (address);
    function balanceOf(address account, uint256 id) external view returns (uint256);
}

/// @dev Queries of ERC-20 tokens.
interface RedeemTestCoin {
    function balanceOf(address account) external view returns (uint256);
}

/// @title The economic rules of a merchant's contract (PROTOCOL.md 6.8)
/// @dev Runs the redeem several times under different conditions, reverts each run, and finally leaves the redeem executed.
abstract contract RedeemJudge is RedeemStage {
    bytes32 private constant TRANSFER = keccak256("Transfer(address,address,uint256)");
    bytes32 private constant APPROVAL = keccak256("Approval(address,address,uint256)");
    bytes32 private constant TRANSFER_SINGLE = keccak256("TransferSingle(address,address,address,uint256,uint256)");
    bytes32 private constant TRANSFER_BATCH = keccak256("TransferBatch(address,address,address,uint256[],uint256[])");
    bytes4 private constant TRANSFER_FROM = 0x23b872dd;
    bytes4 private constant ALLOWANCE = 0xdd62ed3e;
    /// @dev Precision of the search for the smallest sufficient gas.
    uint256 private constant GAS_STEP = 16;
    uint256 private constant GAS_SAMPLES = 12;
    /// @dev Above the gas cap of a transaction (2^24, EIP-7825), but low enough that the test has gas left after an endless loop.
    uint256 private constant MOST_GAS = 40_000_000;
    /// @dev The gas cap of a transaction (EIP-7825).
    uint256 private constant MOST_TRANSACTION_GAS = 2 ** 24;
    uint256 private constant MOST_COIN_GAS = 2_000_000;
    address private constant ANOTHER_CALLER = address(uint160(uint256(keccak256("redeemkit.RedeemTest.caller"))));

    /// @notice Returns every economic rule that a redeem breaks, the most severe first. A successful redeem stays executed.
    function judgeRedeem(RedeemCase memory redeemCase) internal returns (RedeemFinding[] memory findings) {
        redeemCredits();
        findings = _judgeEntry(redeemCase);
        if (findings.length != 0) return findings;

        ICredits.RedeemRequest memory request = _redeemSigned(redeemCase);
        uint256 start = redeemTestVm.snapshotState();
        // The recording of an endless loop would be too large.
        uint256 used = gasleft();
        (bool success,) = _redeemSend(request, MOST_GAS);
        used -= gasleft();
        redeemTestVm.revertToState(start);
        if (!success && used > MOST_TRANSACTION_GAS) return RedeemTexts.one("CALL_REVERTS", RedeemTexts.usedUp(used));
        RedeemRun memory run = _run(request, MOST_GAS);
        if (!run.success) {
            redeemTestVm.revertToState(start);
            findings = _explain(redeemCase, request, run, start);
            redeemTestVm.revertToState(start);
            return findings;
        }
        if (redeemCase.kind != ICredits.Kind.Token) findings = _judgeSuccess(redeemCase, request, run, start);
        redeemTestVm.revertToState(start);
        _redeemSend(request, MOST_GAS);
    }

    // Checks before the redeem

    function _judgeEntry(RedeemCase memory redeemCase) private returns (RedeemFinding[] memory none) {
        if (redeemCase.kind == ICredits.Kind.Token) return none;
        string memory why = _whyForbidden(redeemCase.target);
        if (bytes(why).length == 0 && redeemCase.nftContract != address(0)) {
            why = _whyForbidden(redeemCase.nftContract);
        }
        if (bytes(why).length != 0) return RedeemTexts.one("NOT_WHITELISTED", why);
        if (redeemCase.data.length < 4) {
            return RedeemTexts.one("SELECTOR_NOT_WHITELISTED", "the call data is shorter than a selector");
        }
        bytes4 selector = bytes4(redeemCase.data);
        string memory name = redeemTestVm.toString(bytes.concat(selector));
        if (ForbiddenCalls.contains(selector)) {
            return RedeemTexts.one(
                "SELECTOR_NOT_WHITELISTED", string.concat(name, " moves tokens or grants rights over them")
            );
        }
        if (!_redeemHasOwnWhitelist()) {
            _redeemListAll(redeemCase);
            return none;
        }
        (bool allowed,) = redeemCredits().whitelisted(REDEEM_SEED, block.chainid, redeemCase.target, selector);
        if (allowed) return none;
        string memory target = redeemTestVm.toString(redeemCase.target);
        if (!_redeemIsListed(redeemCase.target)) {
            return RedeemTexts.one("NOT_WHITELISTED", string.concat("no entry for ", target));
        }
        return RedeemTexts.one(
            "SELECTOR_NOT_WHITELISTED",
            string.concat(name, " has no entry, but another function of ", target, " has one")
        );
    }

    function _whyForbidden(address target) private returns (string memory) {
        if (target == address(redeemUsdc())) return "USDC cannot have an entry";
        if (target == address(redeemCredits())) return "the credits contract cannot have an entry";
        if (target == ForbiddenCalls.PERMIT2) return "Permit2 cannot have an entry";
        if (target.code.length == 0) return string.concat("there is no code at ", redeemTestVm.toString(target));
        return "";
    }

    // Checks after a success

    function _judgeSuccess(
        RedeemCase memory redeemCase,
        ICredits.RedeemRequest memory request,
        RedeemRun memory run,
        uint256 start
    ) private returns (RedeemFinding[] memory findings) {
        // Queries that need the state right after the redeem come first.
        findings = _judgePayment(redeemCase, run, findings);
        findings = _judgeReentry(run, findings);
        findings = _judgeTokens(redeemCase, run, findings);
        findings = _judgeCoins(run, findings);
        findings = _judgeAllowances(run, start, findings);
        findings = _judgeTemptation(redeemCase, request, run, start, findings);
        return _judgeShortGas(request, run, start, findings);
    }

    /// @dev Compares the USDC that left the credits contract with the amount. USDC that the shop sends back belongs to no customer.
    function _judgePayment(RedeemCase memory redeemCase, RedeemRun memory run, RedeemFinding[] memory findings)
        private
        returns (RedeemFinding[] memory)
    {
        uint256 pulled = run.pulled;
        uint256 back = run.usdc[0][1] + pulled - run.usdc[0][0] - redeemCase.usdcAmount;
        uint256 fromTestAccounts = _takenFromTestAccounts(redeemCase, run);
        if (fromTestAccounts != 0) {
            findings = RedeemTexts.more(findings, "PULLS_FROM_OTHERS", RedeemTexts.took(fromTestAccounts));
        } else {
            string memory text = _triesTestAccounts(run);
            if (bytes(text).length != 0) findings = RedeemTexts.more(findings, "PULLS_FROM_OTHERS", text);
        }
        if (back != 0) {
            string memory text = string.concat(
                RedeemTexts.ofAmount("pulled ", pulled, redeemCase.amount),
                ", and sent ",
                RedeemTexts.number(back),
                " back to msg.sender"
            );
            return RedeemTexts.more(findings, "PULLS_LESS", text);
        }
        if (pulled == 0) {
            return
                RedeemTexts.more(findings, "PULLS_NOTHING", RedeemTexts.ofAmount("pulled ", pulled, redeemCase.amount));
        }
        if (pulled == redeemCase.amount) return findings;
        return RedeemTexts.warning(findings, "PULLS_LESS", RedeemTexts.ofAmount("pulled ", pulled, redeemCase.amount));
    }

    function _judgeReentry(RedeemRun memory run, RedeemFinding[] memory findings)
        private
        returns (RedeemFinding[] memory)
    {
        string memory who = _whoReenters(run);
        return bytes(who).length == 0 ? findings : RedeemTexts.more(findings, "REENTERS", who);
    }

    /// @dev Checks the final owner of every moved token, and that the customer has the bought tokens.
    function _judgeTokens(RedeemCase memory redeemCase, RedeemRun memory run, RedeemFinding[] memory findings)
        private
        returns (RedeemFinding[] memory)
    {
        bool delivered = redeemCase.nftContract == address(0);
        (bool came, bool stayed) = (false, false);
        for (uint256 i = 0; i < run.logs.length; ++i) {
            (uint256[] memory ids, address to,) = _movedTokens(run.logs[i]);
            for (uint256 j = 0; j < ids.length; ++j) {
                bool toCustomer = to == redeemCustomer();
                came = came || toCustomer;
                // A later log names the final receiver.
                if (_movesLater(run.logs, i, ids[j])) continue;
                stayed = stayed || toCustomer;
                (string memory code, string memory seen) = _judgeToken(redeemCase, run.logs[i], ids[j]);
                if (bytes(code).length != 0) findings = RedeemTexts.more(findings, code, seen);
                else delivered = delivered || _isDelivery(redeemCase, run.logs[i], ids[j]);
            }
        }
        if (!delivered) {
            return RedeemTexts.more(
                findings, "WRONG_NFT_ID", "afterwards the customer does not own the token that was bought"
            );
        }
        if (!came || stayed) return findings;
        return
            RedeemTexts.more(findings, "WRONG_NFT_ID", "a token reached the customer, and left again in the same call");
    }

    /// @dev Finds a token that ends with the credits contract, with the relayer, or with an account that is not the receiver in its event.
    function _judgeToken(RedeemCase memory redeemCase, RedeemTestVm.Log memory log, uint256 id)
        private
        returns (string memory code, string memory seen)
    {
        (, address to, bool single) = _movedTokens(log);
        address credits = address(redeemCredits());
        if (_holds(log.emitter, credits, id, single) && (single || to == credits)) {
            bool sold = redeemCase.kind == ICredits.Kind.SafeMint && log.emitter == redeemCase.nftContract;
            bool hookless = single && sold;
            return (hookless ? "MINTS_WITHOUT_HOOK" : "NFT_STAYS_BEHIND", RedeemTexts.stays(log.emitter, id));
        }
        if (to == address(0)) return ("", "");
        if (!_holds(log.emitter, to, id, single)) {
            return
                ("NFT_STAYS_BEHIND", string.concat(RedeemTexts.token(log.emitter, id), " is not where its event says"));
        }
        if (to != redeemOperator()) return ("", "");
        return
            ("NFT_STAYS_BEHIND", string.concat(RedeemTexts.token(log.emitter, id), " went to tx.origin, the relayer"));
    }

    /// @dev Finds ERC-20 tokens that stay with the credits contract or the relayer, because no transaction type forwards them.
    function _judgeCoins(RedeemRun memory run, RedeemFinding[] memory findings)
        private
        returns (RedeemFinding[] memory)
    {
        address usdc = address(redeemUsdc());
        address[2] memory holders = [address(redeemCredits()), redeemOperator()];
        for (uint256 i = 0; i < run.logs.length; ++i) {
            address token = run.logs[i].emitter;
            if (token == usdc || !_isCoinTransfer(run.logs[i], token)) continue;
            for (uint256 j = 0; j < holders.length; ++j) {
                uint256 came = _moved(run.logs, token, address(0), holders[j]);
                uint256 went = _moved(run.logs, token, holders[j], address(0));
                // The log may be from a call that reverted.
                if (came <= went || _coinsOf(token, holders[j]) == 0) continue;
                return RedeemTexts.more(findings, "NFT_STAYS_BEHIND", RedeemTexts.coins(token, came - went, holders[j]));
            }
        }
        return findings;
    }

    function _isDelivery(RedeemCase memory redeemCase, RedeemTestVm.Log memory log, uint256 id)
        private
        pure
        returns (bool)
    {
        (, address to,) = _movedTokens(log);
        if (to != redeemCustomer() || log.emitter != redeemCase.nftContract) return false;
        return redeemCase.kind != ICredits.Kind.KnownTokenId || id == redeemCase.nftId;
    }

    /// @dev Several accounts can have tokens of an ERC-1155 ID, so transfers to other accounts do not matter here.
    function _movesLater(RedeemTestVm.Log[] memory logs, uint256 index, uint256 id) private pure returns (bool) {
        (, address holder, bool single) = _movedTokens(logs[index]);
        for (uint256 i = index + 1; i < logs.length; ++i) {
            if (logs[i].emitter != logs[index].emitter || logs[i].topics.length != 4) continue;
            if (!single && _address(logs[i].topics[2]) != holder) continue;
            (uint256[] memory ids,,) = _movedTokens(logs[i]);
            for (uint256 j = 0; j < ids.length; ++j) {
                if (ids[j] == id) return true;
            }
        }
        return false;
    }

    /// @dev Finds accounts that may spend more of other accounts' USDC than before.
    function _judgeAllowances(RedeemRun memory run, uint256 start, RedeemFinding[] memory findings)
        private
        returns (RedeemFinding[] memory)
    {
        uint256[] memory left = new uint256[](run.logs.length);
        for (uint256 i = 0; i < run.logs.length; ++i) {
            if (_isApproval(run.logs[i])) left[i] = _allowance(run.logs[i]);
        }
        redeemTestVm.revertToState(start);
        for (uint256 i = 0; i < run.logs.length; ++i) {
            if (left[i] == 0 || left[i] <= _allowance(run.logs[i])) continue;
            string memory text =
                RedeemTexts.allowance(_address(run.logs[i].topics[1]), _address(run.logs[i].topics[2]), left[i]);
            return RedeemTexts.more(findings, "LEAVES_ALLOWANCE", text);
        }
        return findings;
    }

    /// @dev Runs the redeem with a customer and a relayer that have USDC and have already approved contracts.
    function _judgeTemptation(
        RedeemCase memory redeemCase,
        ICredits.RedeemRequest memory request,
        RedeemRun memory first,
        uint256 start,
        RedeemFinding[] memory findings
    ) private returns (RedeemFinding[] memory) {
        redeemTestVm.revertToState(start);
        address[2] memory accounts = [redeemCustomer(), redeemOperator()];
        for (uint256 i = 0; i < accounts.length; ++i) {
            redeemFund(accounts[i], redeemCase.amount);
            redeemTestVm.prank(accounts[i]);
            redeemUsdc().approve(redeemCase.target, type(uint256).max);
            _approveAsked(first, accounts[i]);
        }
        RedeemRun memory run = _run(request, MOST_GAS);
        if (!run.success || RedeemTexts.has(findings, "PULLS_FROM_OTHERS")) return findings;
        uint256 taken = _takenFromTestAccounts(redeemCase, run);
        return taken == 0 ? findings : RedeemTexts.more(findings, "PULLS_FROM_OTHERS", RedeemTexts.took(taken));
    }

    /// @dev Approves every contract that queried this account's USDC allowance, because the target may let others pull.
    function _approveAsked(RedeemRun memory run, address person) private {
        for (uint256 i = 0; i < run.accesses.length; ++i) {
            RedeemTestVm.AccountAccess memory access = run.accesses[i];
            if (access.account != address(redeemUsdc()) || access.data.length < 68) continue;
            if (bytes4(access.data) != ALLOWANCE) continue;
            (address owner, address spender) = abi.decode(RedeemTexts.withoutSelector(access.data), (address, address));
            if (owner != person || spender == address(0)) continue;
            redeemTestVm.prank(person);
            redeemUsdc().approve(spender, type(uint256).max);
        }
    }

    /// @dev With less gas, the redeem must fail or have the same effects. Runs it just below the sufficient gas, where
    /// a merchant that catches a failure has the most gas left, and with some lower amounts.
    function _judgeShortGas(
        ICredits.RedeemRequest memory request,
        RedeemRun memory full,
        uint256 start,
        RedeemFinding[] memory findings
    ) private returns (RedeemFinding[] memory) {
        uint256 low = 0;
        uint256 high = full.gasUsed * 2 + 200_000;
        RedeemShortRun first = _shortRun(request, full, start, high);
        if (first == RedeemShortRun.Differs) {
            return RedeemTexts.more(findings, "KEEPS_MONEY_ON_SHORT_GAS", RedeemTexts.shortOf(high));
        }
        if (first == RedeemShortRun.Fails) high = MOST_GAS;
        while (high - low > GAS_STEP) {
            uint256 middle = (low + high) / 2;
            RedeemShortRun result = _shortRun(request, full, start, middle);
            if (result == RedeemShortRun.Differs) {
                return RedeemTexts.more(findings, "KEEPS_MONEY_ON_SHORT_GAS", RedeemTexts.shortOf(middle));
            }
            if (result == RedeemShortRun.Same) high = middle;
            else low = middle;
        }
        for (uint256 i = 1; i < GAS_SAMPLES; ++i) {
            uint256 sample = low * i / GAS_SAMPLES;
            if (_shortRun(request, full, start, sample) == RedeemShortRun.Differs) {
                return RedeemTexts.more(findings, "KEEPS_MONEY_ON_SHORT_GAS", RedeemTexts.shortOf(sample));
            }
        }
        return findings;
    }

    function _shortRun(ICredits.RedeemRequest memory request, RedeemRun memory full, uint256 start, uint256 gasLimit)
        private
        returns (RedeemShortRun)
    {
        // Each run frees the memory of its recording, because there are dozens of runs.
        uint256 free;
        assembly ("memory-safe") {
            free := mload(0x40)
        }
        redeemTestVm.revertToState(start);
        RedeemRun memory run = _run(request, gasLimit);
        RedeemShortRun result = RedeemShortRun.Fails;
        if (run.success && run.digest == full.digest) {
            result = RedeemShortRun.Same;
        } else if (run.success && run.pulled != 0) {
            result = RedeemShortRun.Differs;
        }
        assembly ("memory-safe") {
            mstore(0x40, free)
        }
        return result;
    }

    // Checks after a failure

    function _explain(
        RedeemCase memory redeemCase,
        ICredits.RedeemRequest memory request,
        RedeemRun memory run,
        uint256 start
    ) private returns (RedeemFinding[] memory) {
        bytes4 selector = bytes4(run.answer);
        if (
            selector == ICredits.TokenIdNotReturned.selector || selector == ICredits.NoTokensArrived.selector
                || selector == ICredits.TokenNotReceived.selector || selector == ICredits.TokenAlreadyOwned.selector
                || selector == ICredits.UnexpectedToken.selector
        ) return _explainTokens(redeemCase, run, start);
        if (selector != ICredits.CallFailed.selector) {
            return RedeemTexts.one("CALL_REVERTS", RedeemTexts.errorText(run.answer));
        }

        (address where, bytes memory reason) = abi.decode(RedeemTexts.withoutSelector(run.answer), (address, bytes));
        if (redeemCase.kind == ICredits.Kind.Returned && !_answersBalance(redeemCase.nftContract)) {
            return RedeemTexts.one("WRONG_NFT_ID", RedeemTexts.noErc721(redeemCase.nftContract));
        }
        string memory who = _whoReenters(run);
        if (bytes(who).length != 0) return RedeemTexts.one("REENTERS", who);
        string memory text = _triesTestAccounts(run);
        uint256 failed = _failedPull(run);
        if (bytes(text).length == 0) text = _explainPullFromOthers(run, failed);
        if (bytes(text).length != 0) return RedeemTexts.one("PULLS_FROM_OTHERS", text);
        text = _explainPullOfTooMuch(redeemCase, run, failed);
        if (bytes(text).length != 0) return RedeemTexts.one("PULLS_MORE", text);
        if (_triesToken(redeemCase, run)) {
            return RedeemTexts.one(
                "NFT_STAYS_BEHIND", "a token arrived at msg.sender, which this transaction type does not forward"
            );
        }
        uint256 value = _missingCoin(request, run);
        if (value != 0) {
            return RedeemTexts.one(
                "NEEDS_NATIVE_COIN",
                string.concat("succeeds with ", RedeemTexts.number(value), " wei, and fails without")
            );
        }
        text = string.concat(redeemTestVm.toString(where), " reverted: ", RedeemTexts.errorText(reason));
        return RedeemTexts.one("CALL_REVERTS", text, _fixOfRevert(request, run, reason));
    }

    function _fixOfRevert(ICredits.RedeemRequest memory request, RedeemRun memory run, bytes memory reason)
        private
        returns (string memory)
    {
        if (bytes4(reason) == ICredits.TooManyTokens.selector) return RedeemTexts.TOO_MANY_TOKENS;
        if (_triesToForward(run, request.settlement.nftContract)) return RedeemTexts.NOT_FORWARDED;
        if (RedeemTexts.names(reason, address(redeemCredits())) || _goesThrough(request, ANOTHER_CALLER, 0)) {
            return RedeemTexts.REJECTED_CALLER;
        }
        return RedeemTexts.fixOf("CALL_REVERTS");
    }

    /// @dev Returns whether the credits contract called a transfer function of the token. It never calls them for a merchant, so the
    /// merchant's call had succeeded before.
    function _triesToForward(RedeemRun memory run, address nftContract) private returns (bool) {
        for (uint256 i = 0; i < run.accesses.length; ++i) {
            RedeemTestVm.AccountAccess memory access = run.accesses[i];
            if (access.account != nftContract || access.accessor != address(redeemCredits())) continue;
            if (ForbiddenCalls.contains(bytes4(access.data))) return true;
        }
        return false;
    }

    /// @dev The credits contract refused the tokens after the call. Runs the call again without declared tokens, to see the amount that it
    /// takes and whether a token arrives without a hook.
    function _explainTokens(RedeemCase memory redeemCase, RedeemRun memory first, uint256 start)
        private
        returns (RedeemFinding[] memory findings)
    {
        redeemTestVm.revertToState(start);
        RedeemCase memory alone = RedeemCase(
            redeemCase.target,
            redeemCase.data,
            redeemCase.amount,
            ICredits.Kind.Normal,
            address(0),
            0,
            redeemCase.usdcAmount
        );
        RedeemRun memory run = _run(_redeemSigned(alone), MOST_GAS);
        if (bytes4(first.answer) == ICredits.NoTokensArrived.selector) {
            findings = RedeemTexts.one("MINTS_WITHOUT_HOOK", _whereTokensWent(run));
        } else if (bytes4(first.answer) == ICredits.TokenIdNotReturned.selector) {
            findings = RedeemTexts.one("RETURNS_NO_ID", "the call returned no id");
        } else {
            string memory text = _editionArrived(redeemCase, first);
            if (bytes(text).length == 0) text = RedeemTexts.errorText(first.answer);
            findings = RedeemTexts.one("WRONG_NFT_ID", text);
        }
        return run.success ? _judgePayment(alone, run, findings) : findings;
    }

    /// @dev Names the ERC-1155 token that arrived instead of an ERC-721 token with the known ID.
    function _editionArrived(RedeemCase memory redeemCase, RedeemRun memory run) private returns (string memory) {
        if (redeemCase.kind != ICredits.Kind.KnownTokenId) return "";
        for (uint256 i = 0; i < run.logs.length; ++i) {
            (uint256[] memory ids, address to, bool single) = _movedTokens(run.logs[i]);
            if (single || ids.length == 0 || to != address(redeemCredits())) continue;
            if (run.logs[i].emitter == redeemCase.nftContract) return RedeemTexts.edition(run.logs[i].emitter, ids[0]);
        }
        return "";
    }

    function _whereTokensWent(RedeemRun memory run) private returns (string memory) {
        for (uint256 i = 0; i < run.logs.length; ++i) {
            (uint256[] memory ids, address to,) = _movedTokens(run.logs[i]);
            if (ids.length == 0) continue;
            if (to == address(redeemCredits())) return RedeemTexts.stays(run.logs[i].emitter, ids[0]);
            string memory text = string.concat(RedeemTexts.token(run.logs[i].emitter, ids[0]), " went to ");
            return string.concat(text, redeemTestVm.toString(to), ", not to msg.sender");
        }
        return "no token arrived at msg.sender";
    }

    /// @dev Returns the index of the pull with which the call failed: the last one, unless the merchant continued after it.
    function _failedPull(RedeemRun memory run) private returns (uint256 failed) {
        failed = type(uint256).max;
        for (uint256 i = 0; i < run.accesses.length; ++i) {
            RedeemTestVm.AccountAccess memory access = run.accesses[i];
            if (_isTransferFrom(access)) failed = i;
            // A library may query the token's code before it reverts.
            else if (access.kind >= RedeemTestVm.AccountAccessKind.Balance) continue;
            else if (failed < i && access.depth <= run.accesses[failed].depth) failed = type(uint256).max;
        }
    }

    /// @dev Names the account from which the call failed to pull USDC, because its approval is missing or too small.
    function _explainPullFromOthers(RedeemRun memory run, uint256 failed) private returns (string memory) {
        if (failed == type(uint256).max) return "";
        (address from, uint256 value) = _pullOf(run.accesses[failed]);
        if (from == address(redeemCredits())) return "";
        return
            redeemUsdc().allowance(from, run.accesses[failed].accessor) < value
                ? RedeemTexts.wantedFrom(value, from)
                : "";
    }

    /// @dev Returns the sum that the call took from its allowance, and the pull that exceeded the remaining allowance.
    function _explainPullOfTooMuch(RedeemCase memory redeemCase, RedeemRun memory run, uint256 failed)
        private
        returns (string memory)
    {
        uint256 taken = 0;
        for (uint256 i = 0; i < run.accesses.length; ++i) {
            if (!_isTransferFrom(run.accesses[i])) continue;
            (address from, uint256 value) = _pullOf(run.accesses[i]);
            if (from != address(redeemCredits())) continue;
            if (value <= redeemCase.amount - taken) taken += value;
            else if (i == failed) return RedeemTexts.ofAmount("wanted ", taken + value, redeemCase.amount);
        }
        return "";
    }

    function _pullOf(RedeemTestVm.AccountAccess memory access) private pure returns (address from, uint256 value) {
        (from,, value) = abi.decode(RedeemTexts.withoutSelector(access.data), (address, address, uint256));
    }

    /// @dev Names a pull whose failure the merchant caught. The pull would succeed for an account that has approved the contract.
    function _triesTestAccounts(RedeemRun memory run) private returns (string memory) {
        for (uint256 i = 0; i < run.accesses.length; ++i) {
            RedeemTestVm.AccountAccess memory access = run.accesses[i];
            if (!_isTransferFrom(access)) continue;
            (address from, uint256 value) = _pullOf(access);
            if (from == redeemCustomer() || from == redeemOperator()) return RedeemTexts.wantedFrom(value, from);
        }
        return "";
    }

    /// @dev Returns whether a token arrived at the credits contract that the redeem does not forward.
    function _triesToken(RedeemCase memory redeemCase, RedeemRun memory run) private returns (bool) {
        for (uint256 i = 0; i < run.accesses.length; ++i) {
            RedeemTestVm.AccountAccess memory access = run.accesses[i];
            if (access.account != address(redeemCredits()) || !_isHook(bytes4(access.data))) continue;
            if (access.accessor != redeemCase.nftContract) return true;
        }
        return false;
    }

    /// @dev Returns the amount of native coin with which the call succeeds, or zero. Tries some round values, and every plausible price in
    /// the contract's code and in the storage that it read.
    function _missingCoin(ICredits.RedeemRequest memory request, RedeemRun memory run) private returns (uint256) {
        uint256[6] memory usual = [uint256(1), 1e14, 1e15, 1e16, 1e17, 1e18];
        for (uint256 i = 0; i < usual.length; ++i) {
            if (_goesThroughWith(request, usual[i])) return usual[i];
        }
        uint256 value = 0;
        for (uint256 i = 0; i < run.accesses.length && value == 0; ++i) {
            RedeemTestVm.StorageAccess[] memory slots = run.accesses[i].storageAccesses;
            for (uint256 j = 0; j < slots.length && value == 0; ++j) {
                value = _ifHelps(request, uint256(slots[j].newValue));
            }
        }
        if (value == 0) value = _priceInCode(request, request.settlement.target.code);
        for (uint256 i = 0; i < run.accesses.length && value == 0; ++i) {
            if (run.accesses[i].kind != RedeemTestVm.AccountAccessKind.DelegateCall) continue;
            value = _priceInCode(request, run.accesses[i].account.code);
        }
        return value;
    }

    /// @dev Searches the numbers that the code pushes onto the stack.
    function _priceInCode(ICredits.RedeemRequest memory request, bytes memory code) private returns (uint256 value) {
        uint256 i = 0;
        while (i < code.length && value == 0) {
            uint8 opcode = uint8(code[i++]);
            if (opcode < 0x60 || opcode > 0x7f) continue;
            uint256 size = opcode - 0x5f;
            uint256 number = 0;
            for (uint256 j = 0; j < size && i + j < code.length; ++j) {
                number = number << 8 | uint8(code[i + j]);
            }
            i += size;
            value = _ifHelps(request, number);
        }
    }

    /// @dev A number may be a price if it is between a gwei and a million coins.
    function _ifHelps(ICredits.RedeemRequest memory request, uint256 number) private returns (uint256) {
        return number >= 1 gwei && number <= 1e24 && _goesThroughWith(request, number) ? number : 0;
    }

    function _goesThroughWith(ICredits.RedeemRequest memory request, uint256 value) private returns (bool) {
        return _goesThrough(request, address(redeemCredits()), value);
    }

    /// @dev Makes the call alone. A caller other than the credits contract also sends the transaction, as an account with a key does.
    function _goesThrough(ICredits.RedeemRequest memory request, address caller, uint256 value)
        private
        returns (bool success)
    {
        uint256 before = redeemTestVm.snapshotState();
        address target = request.settlement.target;
        if (caller == ANOTHER_CALLER) redeemFund(caller, request.intent.amount);
        redeemTestVm.prank(caller);
        redeemUsdc().approve(target, request.intent.amount);
        redeemTestVm.deal(caller, value);
        redeemTestVm.prank(caller, caller == ANOTHER_CALLER ? caller : redeemOperator());
        (success,) = target.call{value: value, gas: MOST_COIN_GAS}(request.settlement.data);
        redeemTestVm.revertToState(before);
    }

    // Running a redeem, and reading its effects

    function _run(ICredits.RedeemRequest memory request, uint256 gasLimit) private returns (RedeemRun memory run) {
        _noteUsdc(run, 0);
        redeemTestVm.recordLogs();
        redeemTestVm.startStateDiffRecording();
        uint256 before = gasleft();
        (run.success, run.answer) = _redeemSend(request, gasLimit);
        run.gasUsed = before - gasleft();
        run.accesses = redeemTestVm.stopAndReturnStateDiff();
        run.logs = redeemTestVm.getRecordedLogs();
        _noteUsdc(run, 1);
        if (run.success) run.pulled = request.intent.amount - _refunded(run.logs);
        run.digest = keccak256(abi.encode(run.logs));
        for (uint256 i = 0; i < run.accesses.length; ++i) {
            run.digest = _digest(run.digest, run.accesses[i]);
        }
    }

    function _digest(bytes32 digest, RedeemTestVm.AccountAccess memory access) private view returns (bytes32) {
        if (access.value != 0) digest = keccak256(abi.encode(digest, access.account, access.account.balance));
        for (uint256 i = 0; i < access.storageAccesses.length; ++i) {
            RedeemTestVm.StorageAccess memory slot = access.storageAccesses[i];
            // forge does not mark writes as reverted if their call ran out of gas.
            if (!slot.isWrite || redeemTestVm.load(slot.account, slot.slot) != slot.newValue) continue;
            digest = keccak256(abi.encode(digest, slot.account, slot.slot, slot.newValue));
        }
        return digest;
    }

    /// @dev Returns the ERC-20 tokens that moved. A zero address means any sender or receiver.
    function _moved(RedeemTestVm.Log[] memory logs, address token, address from, address to)
        private
        pure
        returns (uint256 moved)
    {
        for (uint256 i = 0; i < logs.length; ++i) {
            bytes32[] memory topics = logs[i].topics;
            if (!_isCoinTransfer(logs[i], token)) continue;
            if (from != address(0) && _address(topics[1]) != from) continue;
            if (to != address(0) && _address(topics[2]) != to) continue;
            moved += abi.decode(logs[i].data, (uint256));
        }
    }

    function _noteUsdc(RedeemRun memory run, uint256 when) private {
        address[3] memory accounts = [address(redeemCredits()), redeemCustomer(), redeemOperator()];
        for (uint256 i = 0; i < accounts.length; ++i) {
            run.usdc[i][when] = redeemUsdc().balanceOf(accounts[i]);
        }
    }

    /// @dev Returns the refunded part of the amount, from the last event of the credits contract.
    function _refunded(RedeemTestVm.Log[] memory logs) private returns (uint256 refunded) {
        for (uint256 i = logs.length; i > 0; --i) {
            RedeemTestVm.Log memory log = logs[i - 1];
            if (log.emitter != address(redeemCredits()) || log.topics[0] != ICredits.Redeemed.selector) continue;
            (,,, uint256 refundedAndGasFee) = abi.decode(log.data, (bytes32, uint256, uint256, uint256));
            return refundedAndGasFee >> 128;
        }
    }

    function _takenFromTestAccounts(RedeemCase memory redeemCase, RedeemRun memory run)
        private
        pure
        returns (uint256 taken)
    {
        for (uint256 i = 1; i < 3; ++i) {
            uint256 rest = run.usdc[i][1] + (i == 1 ? redeemCase.usdcAmount : 0);
            if (rest < run.usdc[i][0]) taken += run.usdc[i][0] - rest;
        }
    }

    function _coinsOf(address token, address account) private view returns (uint256) {
        (bool success, bytes memory answer) = token.staticcall(abi.encodeCall(RedeemTestCoin.balanceOf, (account)));
        return success && answer.length >= 32 ? abi.decode(answer, (uint256)) : 0;
    }

    function _answersBalance(address nftContract) private returns (bool success) {
        (success,) = nftContract.staticcall(abi.encodeCall(RedeemTestCoin.balanceOf, (address(redeemCredits()))));
    }

    function _isCoinTransfer(RedeemTestVm.Log memory log, address token) private pure returns (bool) {
        return log.emitter == token && log.topics.length == 3 && log.topics[0] == TRANSFER && log.data.length == 32;
    }

    /// @return ids of the tokens that moved according to a log
    /// @return to the receiver
    /// @return single whether the tokens are ERC-721
    function _movedTokens(RedeemTestVm.Log memory log)
        private
        pure
        returns (uint256[] memory ids, address to, bool single)
    {
        if (log.topics.length != 4) return (ids, to, single);
        if (log.topics[0] == TRANSFER) {
            ids = new uint256[](1);
            ids[0] = uint256(log.topics[3]);
            return (ids, _address(log.topics[2]), true);
        }
        to = _address(log.topics[3]);
        if (log.topics[0] == TRANSFER_SINGLE && log.data.length >= 64) {
            ids = new uint256[](1);
            (ids[0],) = abi.decode(log.data, (uint256, uint256));
        } else if (log.topics[0] == TRANSFER_BATCH) {
            (ids,) = abi.decode(log.data, (uint256[], uint256[]));
        }
    }

    function _holds(address nftContract, address account, uint256 id, bool single) private view returns (bool) {
        bytes memory question = single
            ? abi.encodeCall(RedeemTestNft.ownerOf, (id))
            : abi.encodeCall(RedeemTestNft.balanceOf, (account, id));
        (bool success, bytes memory answer) = nftContract.staticcall(question);
        if (!success || answer.length < 32) return false;
        uint256 word = abi.decode(answer, (uint256));
        return single ? word == uint160(account) : word != 0;
    }

    function _isApproval(RedeemTestVm.Log memory log) private returns (bool) {
        return log.emitter == address(redeemUsdc()) && log.topics.length == 3 && log.topics[0] == APPROVAL
            && _address(log.topics[1]) != address(redeemCredits());
    }

    function _allowance(RedeemTestVm.Log memory approval) private returns (uint256) {
        return redeemUsdc().allowance(_address(approval.topics[1]), _address(approval.topics[2]));
    }

    function _isTransferFrom(RedeemTestVm.AccountAccess memory access) private returns (bool) {
        return access.kind == RedeemTestVm.AccountAccessKind.Call && access.account == address(redeemUsdc())
            && access.data.length >= 100 && bytes4(access.data) == TRANSFER_FROM;
    }

    /// @dev Describes which contract called the credits contract during the redeem; empty if none did. Receiver hooks and
    /// read-only calls are allowed.
    function _whoReenters(RedeemRun memory run) private returns (string memory) {
        address credits = address(redeemCredits());
        for (uint256 i = 0; i < run.accesses.length; ++i) {
            RedeemTestVm.AccountAccess memory access = run.accesses[i];
            if (access.kind != RedeemTestVm.AccountAccessKind.Call || access.account != credits) continue;
            // The credits contract itself makes some calls of type returned inside a call to itself.
            if (access.accessor == credits) continue;
            if (access.accessor == redeemOperator() || access.accessor == address(this)) continue;
            bytes4 selector = bytes4(access.data);
            if (_isHook(selector) || _isRead(credits, access.data)) continue;
            string memory who = redeemTestVm.toString(access.accessor);
            return
                string.concat(
                    who, " called ", redeemTestVm.toString(bytes.concat(selector)), " of the credits contract"
                );
        }
        return "";
    }

    /// @dev Returns whether a call succeeds as a static call.
    function _isRead(address credits, bytes memory data) private view returns (bool success) {
        // A static call that tries to change the state burns all its gas.
        (success,) = credits.staticcall{gas: 1_000_000}(data);
    }

    function _isHook(bytes4 selector) private pure returns (bool) {
        return selector == 0x150b7a02 // onERC721Received(address,address,uint256,bytes)
            || selector == 0xf23a6e61 // onERC1155Received(address,address,uint256,uint256,bytes)
            || selector == 0xbc197c81; // onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)
    }

    function _address(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }
}
