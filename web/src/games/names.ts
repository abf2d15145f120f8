// What the games are called.
export const gameNames = {
    english: {
        game_othello: 'Othello',
        game_shogi: 'Shogi',
        game_renju: 'Renju',
        game_gomoku: 'Gomoku',
        game_connect_four: 'Connect Four',
    },
    japanese: {
        game_othello: 'オセロ',
        game_shogi: '将棋',
        game_renju: '連珠',
        game_gomoku: '五目並べ',
        game_connect_four: '四目落とし',
    },
};
