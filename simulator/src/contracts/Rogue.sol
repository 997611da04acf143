// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Emits logs that bear ERC-20's topic but not its shape.
contract OddTransfers {
    bytes32 private constant TOPIC = keccak256("Transfer(address,address,uint256)");

    /// Four topics and no data, as ERC-721 has it.
    function emitFourTopics(address from, address to, uint256 id) public {
        bytes32 topic = TOPIC;
        assembly {
            log4(0, 0, topic, from, to, id)
        }
    }

    /// One topic and all three fields as 96 bytes of data.
    function emitOneTopic(address from, address to, uint256 value) public {
        bytes32 topic = TOPIC;
        bytes memory data = abi.encode(from, to, value);
        assembly {
            log1(add(data, 32), mload(data), topic)
        }
    }

    /// Three topics and no data.
    function emitNoData(address from, address to) public {
        bytes32 topic = TOPIC;
        assembly {
            log3(0, 0, topic, from, to)
        }
    }

    /// All odd shapes, and a proper event after them: a reader must get to the last.
    function emitOddThenProper(address from, address to, uint256 value) external {
        emitFourTopics(from, to, value);
        emitOneTopic(from, to, value);
        emitNoData(from, to);
        bytes32 topic = TOPIC;
        assembly {
            mstore(0, value)
            log3(0, 32, topic, from, to)
        }
    }
}

/// A token whose transfer answers false instead of reverting, without an event, where the balance is too small.
contract FalseToken {
    string public constant name = "False Token";
    string public constant symbol = "FALSE";
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (balanceOf[msg.sender] < value) return false;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// A token whose transfer moves, logs and returns false; unless it is closed: then it only returns false.
contract FalseMover {
    string public constant name = "False Mover";
    string public constant symbol = "FMOVE";
    uint8 public constant decimals = 6;
    mapping(address => uint256) public balanceOf;
    bool public isClosed;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function close(bool isClosed_) external {
        isClosed = isClosed_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (isClosed) return false;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return false;
    }
}

/// One ledger behind two token contracts. A transfer through the first is logged by both, as with
/// tokens that kept their old address; a transfer through the second by the second alone.
contract SharedLedger {
    TokenFace public immutable first;
    TokenFace public immutable second;
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;

    constructor() {
        first = new TokenFace("OLDF");
        second = new TokenFace("NEWF");
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        totalSupply += value;
        log(address(0), to, value, true);
    }

    function move(address from, address to, uint256 value) external {
        require(msg.sender == address(first) || msg.sender == address(second), "not a face");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        log(from, to, value, msg.sender == address(first));
    }

    function log(address from, address to, uint256 value, bool isBoth) private {
        if (isBoth) first.log(from, to, value);
        second.log(from, to, value);
    }
}

/// One of the two contracts of a shared ledger.
contract TokenFace {
    string public name = "Face";
    string public symbol;
    uint8 public constant decimals = 6;
    SharedLedger private immutable shared;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory symbol_) {
        symbol = symbol_;
        shared = SharedLedger(msg.sender);
    }

    function balanceOf(address account) external view returns (uint256) {
        return shared.balanceOf(account);
    }

    function totalSupply() external view returns (uint256) {
        return shared.totalSupply();
    }

    function transfer(address to, uint256 value) external returns (bool) {
        shared.move(msg.sender, to, value);
        return true;
    }

    function log(address from, address to, uint256 value) external {
        require(msg.sender == address(shared), "not the ledger");
        emit Transfer(from, to, value);
    }
}

/// A token that says what it is told to say: any event, any balance.
contract LyingToken {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    /// The event alone; nothing moves.
    function say(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    /// The balance alone; no event tells.
    function set(address account, uint256 value) external {
        balanceOf[account] = value;
    }
}

/// Pays ether to many, and fails on demand.
contract EthSplitter {
    /// Pays each its amount out of what came with the call. What is left over stays here.
    function pay(address payable[] calldata to, uint256[] calldata values) external payable {
        payAll(to, values);
    }

    /// Pays, then reverts the whole transaction.
    function payThenRevert(address payable[] calldata to, uint256[] calldata values)
        external
        payable
    {
        payAll(to, values);
        revert("after all");
    }

    /// An inner frame pays the first list and reverts, which is caught; then the second list is paid for good.
    function payCaught(
        address payable[] calldata lost,
        uint256[] calldata lostValues,
        address payable[] calldata to,
        uint256[] calldata values
    ) external payable {
        try this.payThenRevert{value: total(lostValues)}(lost, lostValues) {} catch {}
        payAll(to, values);
    }

    receive() external payable {}

    function payAll(address payable[] calldata to, uint256[] calldata values) private {
        require(to.length == values.length, "lists of different lengths");
        for (uint256 i = 0; i < to.length; i++) {
            (bool ok,) = to[i].call{value: values[i]}("");
            require(ok, "a recipient refused");
        }
    }

    function total(uint256[] calldata values) private pure returns (uint256 sum) {
        for (uint256 i = 0; i < values.length; i++) sum += values[i];
    }
}

/// Takes ether, and far more gas than that is worth.
contract GasGlutton {
    uint256 public appetite;

    constructor(uint256 appetite_) {
        appetite = appetite_;
    }

    /// Whoever pays from now on burns so much gas.
    function hunger(uint256 appetite_) external {
        appetite = appetite_;
    }

    receive() external payable {
        uint256 enough = appetite;
        uint256 start = gasleft();
        while (start - gasleft() < enough) {}
    }
}
